module example.org/login

go 1.24

require golang.org/x/oauth2 v0.33.0
