package main

import (
	"context"
	"fmt"
	"log"
	"os"

	game "example.org/client/generated"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	ctx, url, limit, page := context.Background(), os.Getenv("GAME_URL"), 10, []game.LadderEntry{}
	login := clientcredentials.Config{ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"),
		Scopes: []string{"service:leagues:ladder"}, TokenURL: url + "/oauth/token", AuthStyle: oauth2.AuthStyleInParams}
	client, _ := game.NewClientWithResponses(url, game.WithHTTPClient(login.Client(ctx)))
	if reply, err := client.GetLeagueLadderWithResponse(ctx, "Standard", &game.GetLeagueLadderParams{Limit: &limit}); err != nil {
		log.Fatal(err)
	} else if reply.JSON200 == nil {
		log.Fatal(reply.Status(), " ", string(reply.Body))
	} else if ladder := reply.JSON200.Ladder; ladder != nil { // live services have it in ladder
		page = ladder.Entries
	} else if league := reply.JSON200.League; league != nil && league.Entries != nil {
		page = *league.Entries
	}
	for _, entry := range page {
		fmt.Println(entry.Rank, entry.Character.Name, entry.Character.Level)
	}
}
