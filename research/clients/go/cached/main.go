// A desktop client with golang.org/x/oauth2 and a token file, as quickstarts for it have one; after a 401 it refreshes
// with a source that has no access token, and stores what came.
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
	"path/filepath"

	"golang.org/x/oauth2"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

var ctx = context.Background()
var file = filepath.Join(os.Getenv("GAMEDATA_STATE"), "token.json")
var config = &oauth2.Config{
	ClientID: os.Getenv("GAMEDATA_PUBLIC_CLIENT_ID"),
	Scopes:   []string{"account:profile", "account:characters", "account:leagues"},
	Endpoint: oauth2.Endpoint{
		AuthURL:  os.Getenv("GAMEDATA_AUTH_URL") + "/oauth/authorize",
		TokenURL: os.Getenv("GAMEDATA_AUTH_URL") + "/oauth/token",
	},
}

func tokenFromFile() (*oauth2.Token, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	token := &oauth2.Token{}
	return token, json.NewDecoder(f).Decode(token)
}

func saveToken(token *oauth2.Token) {
	f := must(os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0600))
	defer f.Close()
	must(0, json.NewEncoder(f).Encode(token))
}

func tokenFromWeb() *oauth2.Token {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	config.RedirectURL = fmt.Sprintf("http://%s/callback", listener.Addr())
	verifier := oauth2.GenerateVerifier()
	state := oauth2.GenerateVerifier()
	page := config.AuthCodeURL(state, oauth2.AccessTypeOffline, oauth2.S256ChallengeOption(verifier))
	codes := make(chan string, 1)
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "You may close this window.")
		if r.URL.Path == "/callback" && r.URL.Query().Get("state") == state {
			select {
			case codes <- r.URL.Query().Get("code"):
			default:
			}
		}
	}))
	must(0, exec.Command(os.Getenv("BROWSER"), page).Start())
	return must(config.Exchange(ctx, <-codes, oauth2.VerifierOption(verifier)))
}

var token *oauth2.Token

func get(path string, into any) {
	for tries := 0; ; tries++ {
		answer := must(config.Client(ctx, token).Get(os.Getenv("GAMEDATA_BASE_URL") + path))
		defer answer.Body.Close()
		if answer.StatusCode == http.StatusUnauthorized && tries == 0 {
			token = must(config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token())
			saveToken(token)
			continue
		}
		if answer.StatusCode != http.StatusOK {
			log.Fatalf("%s: %s", path, answer.Status)
		}
		must(0, json.NewDecoder(answer.Body).Decode(into))
		return
	}
}

func main() {
	var err error
	token, err = tokenFromFile()
	if err != nil {
		token = tokenFromWeb()
		saveToken(token)
	}
	var profile struct{ Name string }
	get("/profile", &profile)
	var list struct{ Characters []struct{ Name string } }
	get("/character", &list)
	for _, character := range list.Characters[:min(2, len(list.Characters))] {
		var one map[string]any
		get("/character/"+url.PathEscape(character.Name), &one)
	}
}
