// A desktop client with golang.org/x/oauth2, and a service with its clientcredentials: "main user", "main service" and "main plain".
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var base = os.Getenv("GAMEDATA_BASE_URL")

type named struct{ next http.RoundTripper }

func (n named) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", "example-go/1.0 (contact: go@example.com)")
	return n.next.RoundTrip(req)
}

func get(client *http.Client, path string, into any) error {
	for attempt := 0; ; attempt++ {
		answer, err := client.Get(base + path)
		if err != nil {
			return err
		}
		if answer.StatusCode == 429 && attempt < 5 {
			answer.Body.Close()
			wait, err := strconv.Atoi(answer.Header.Get("Retry-After"))
			if err != nil {
				wait = 5
			}
			time.Sleep(time.Duration(wait)*time.Second + 100*time.Millisecond)
			continue
		}
		defer answer.Body.Close()
		if answer.StatusCode != 200 {
			return fmt.Errorf("%s: %s", path, answer.Status)
		}
		return json.NewDecoder(answer.Body).Decode(into)
	}
}

func user(ctx context.Context, style oauth2.AuthStyle) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	config := &oauth2.Config{
		ClientID:    os.Getenv("GAMEDATA_PUBLIC_CLIENT_ID"),
		RedirectURL: fmt.Sprintf("http://%s/callback", listener.Addr()),
		Scopes:      []string{"account:profile", "account:characters"},
		Endpoint: oauth2.Endpoint{
			AuthURL:   os.Getenv("GAMEDATA_AUTH_URL") + "/oauth/authorize",
			TokenURL:  os.Getenv("GAMEDATA_AUTH_URL") + "/oauth/token",
			AuthStyle: style,
		},
	}
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	answers := make(chan url.Values, 1)
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if r.URL.Path != "/callback" || query.Get("state") != state {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintln(w, "You may close this window.")
		select {
		case answers <- query:
		default:
		}
	}))
	fmt.Println("Open this address:", config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	if len(os.Args) > 2 {
		exec.Command("xdg-open", config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))).Run()
	}
	var answer url.Values
	select {
	case answer = <-answers:
	case <-time.After(30 * time.Second):
		return fmt.Errorf("nobody answered")
	}
	if problem := answer.Get("error"); problem != "" {
		return fmt.Errorf("not granted: %s", problem)
	}
	token, err := config.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		return err
	}
	client := config.Client(ctx, token)
	var profile struct{ Name string }
	if err := get(client, "/profile", &profile); err != nil {
		return err
	}
	var list struct{ Characters []struct{ Name string } }
	if err := get(client, "/character", &list); err != nil {
		return err
	}
	for _, character := range list.Characters {
		var one map[string]any
		if err := get(client, "/character/"+url.PathEscape(character.Name), &one); err != nil {
			return err
		}
	}
	return nil
}

func service(ctx context.Context) error {
	config := &clientcredentials.Config{
		ClientID:     os.Getenv("GAMEDATA_SERVICE_CLIENT_ID"),
		ClientSecret: os.Getenv("GAMEDATA_SERVICE_CLIENT_SECRET"),
		TokenURL:     os.Getenv("GAMEDATA_AUTH_URL") + "/oauth/token",
		Scopes:       []string{"service:leagues", "service:psapi"},
	}
	client := config.Client(ctx)
	errs := make(chan error, 2)
	go func() {
		var leagues struct{ Leagues []struct{ ID string } }
		errs <- get(client, "/league?type=main&limit=50", &leagues)
	}()
	go func() {
		id := ""
		for range 3 {
			var page struct {
				Next    string            `json:"next_change_id"`
				Stashes []json.RawMessage `json:"stashes"`
			}
			path := "/public-stash-tabs"
			if id != "" {
				path += "?id=" + url.QueryEscape(id)
			}
			if err := get(client, path, &page); err != nil {
				errs <- err
				return
			}
			if len(page.Stashes) == 0 {
				time.Sleep(2 * time.Second)
			}
			id = page.Next
		}
		errs <- nil
	}()
	if err := <-errs; err != nil {
		return err
	}
	return <-errs
}

// The library alone: its own transport, nothing tried again, several requests at once.
func plain(ctx context.Context) error {
	config := &clientcredentials.Config{
		ClientID:     os.Getenv("GAMEDATA_SERVICE_CLIENT_ID"),
		ClientSecret: os.Getenv("GAMEDATA_SERVICE_CLIENT_SECRET"),
		TokenURL:     os.Getenv("GAMEDATA_AUTH_URL") + "/oauth/token",
		Scopes:       []string{"service:leagues", "service:psapi"},
	}
	client := config.Client(ctx)
	paths := []string{"/league", "/public-stash-tabs", "/league/Standard"}
	errs := make(chan error, len(paths))
	for _, path := range paths {
		go func() {
			answer, err := client.Get(base + path)
			if err == nil && answer.StatusCode != 200 {
				err = fmt.Errorf("%s: %s", path, answer.Status)
			}
			if err == nil {
				_, err = io.Copy(io.Discard, answer.Body)
			}
			errs <- err
		}()
	}
	for range paths {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func main() {
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{
		Transport: named{http.DefaultTransport},
		Timeout:   20 * time.Second,
	})
	var err error
	switch os.Args[1] {
	case "service":
		err = service(ctx)
	case "plain":
		err = plain(context.Background())
	case "probe":
		err = user(ctx, oauth2.AuthStyleAutoDetect)
	default:
		err = user(ctx, oauth2.AuthStyleInParams)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
