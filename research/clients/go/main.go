// A desktop client with golang.org/x/oauth2, as the examples of the package have it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"

	"golang.org/x/oauth2"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func get(client *http.Client, path string, into any) {
	answer := must(client.Get(os.Getenv("GAMEDATA_BASE_URL") + path))
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", path, answer.Status)
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	config := &oauth2.Config{
		ClientID:    os.Getenv("GAMEDATA_PUBLIC_CLIENT_ID"),
		RedirectURL: fmt.Sprintf("http://%s/callback", listener.Addr()),
		Scopes:      []string{"account:profile", "account:characters", "account:leagues"},
		Endpoint: oauth2.Endpoint{
			AuthURL:  os.Getenv("GAMEDATA_AUTH_URL") + "/oauth/authorize",
			TokenURL: os.Getenv("GAMEDATA_AUTH_URL") + "/oauth/token",
		},
	}
	verifier := oauth2.GenerateVerifier()
	page := config.AuthCodeURL("state", oauth2.AccessTypeOffline, oauth2.S256ChallengeOption(verifier))
	codes := make(chan string, 1)
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "You may close this window.")
		if r.URL.Path == "/callback" {
			select {
			case codes <- r.URL.Query().Get("code"):
			default:
			}
		}
	}))
	must(0, exec.Command(os.Getenv("BROWSER"), page).Start())
	token := must(config.Exchange(ctx, <-codes, oauth2.VerifierOption(verifier)))

	var profile struct{ Name string }
	get(config.Client(ctx, token), "/profile", &profile)

	// A source without an access token refreshes.
	client := oauth2.NewClient(ctx, config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}))
	var list struct{ Characters []struct{ Name string } }
	get(client, "/character", &list)
	for _, character := range list.Characters[:min(2, len(list.Characters))] {
		var one map[string]any
		get(client, "/character/"+url.PathEscape(character.Name), &one)
	}
	var leagues map[string]any
	get(client, "/account/leagues", &leagues)
}
