module foreign

go 1.24

require github.com/go-oauth2/oauth2/v4 v4.5.4
