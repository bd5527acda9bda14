package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	game "example.org/client/generated"
)

var ctx = context.Background()

func bearer(token string) game.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
}

// tokens is a token request, for which client id and secret are known.
func tokens(client *game.ClientWithResponses, body game.TokenRequest) *game.TokenResponse {
	secret := os.Getenv("CLIENT_SECRET")
	body.ClientId, body.ClientSecret = os.Getenv("CLIENT_ID"), &secret
	reply, err := client.IssueTokenWithFormdataBodyWithResponse(ctx, body)
	if err != nil {
		log.Fatal(err)
	}
	if reply.JSON200 == nil {
		log.Fatal(reply.Status(), " ", string(reply.Body))
	}
	return reply.JSON200
}

func main() {
	client, err := game.NewClientWithResponses(os.Getenv("GAME_URL"))
	if err != nil {
		log.Fatal(err)
	}
	scope, refresh := "service:leagues:ladder service:psapi", os.Getenv("REFRESH_TOKEN")
	service := tokens(client, game.TokenRequest{GrantType: game.ClientCredentials, Scope: &scope})
	fmt.Println("client credentials:", service.TokenType)
	user := tokens(client, game.TokenRequest{GrantType: game.RefreshToken, RefreshToken: &refresh})
	fmt.Println("refresh:", user.Username)

	found, err := client.GetCharacterWithResponse(ctx, "AsterOfReeds", bearer(user.AccessToken))
	if err != nil {
		log.Fatal(err)
	}
	if found.JSON200 == nil || found.JSON200.Character == nil {
		log.Fatal(found.Status(), " ", string(found.Body))
	}
	character := found.JSON200.Character
	fmt.Printf("character: level %d, experience %d, %d items\n",
		character.Level, character.Experience, len(*character.Equipment))

	limit, entries := 500, 0
	for {
		params := &game.GetLeagueLadderParams{Limit: &limit, Offset: &entries}
		reply, err := client.GetLeagueLadderWithResponse(ctx, "Standard", params, bearer(service.AccessToken))
		if err != nil {
			log.Fatal(err)
		}
		if reply.JSON200 == nil {
			log.Fatal(reply.Status(), " ", string(reply.Body))
		}
		var page []game.LadderEntry
		if reply.JSON200.Ladder != nil { // live services have it in ladder
			page = reply.JSON200.Ladder.Entries
		} else if league := reply.JSON200.League; league != nil && league.Entries != nil {
			page = *league.Entries
		}
		if len(page) == 0 {
			break
		}
		entries += len(page)
	}
	fmt.Println("ladder:", entries, "entries")

	params := &game.GetPublicStashTabsParams{}
	stashes, items := 0, 0
	for {
		reply, err := client.GetPublicStashTabsWithResponse(ctx, params, bearer(service.AccessToken))
		if err != nil {
			log.Fatal(err)
		}
		if reply.JSON200 == nil {
			log.Fatal(reply.Status(), " ", string(reply.Body))
		}
		if len(reply.JSON200.Stashes) == 0 {
			break
		}
		stashes += len(reply.JSON200.Stashes)
		for _, stash := range reply.JSON200.Stashes {
			if stash.Items != nil {
				items += len(*stash.Items)
			}
		}
		params.Id = &reply.JSON200.NextChangeId
	}
	fmt.Printf("stream: %d stashes, %d items\n", stashes, items)
}
