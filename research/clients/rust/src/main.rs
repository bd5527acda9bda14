// The oauth2 crate, as its examples have it: a listener that takes one connection.
use std::collections::HashMap;
use std::env::var;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;

use oauth2::basic::BasicClient;
use oauth2::reqwest::{blocking::Client, redirect::Policy};
use oauth2::url::Url;
use oauth2::{AccessToken, AuthUrl, AuthorizationCode, ClientId, CsrfToken};
use oauth2::{PkceCodeChallenge, RedirectUrl, Scope, TokenResponse, TokenUrl};
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let (base, auth) = (var("GAMEDATA_BASE_URL")?, var("GAMEDATA_AUTH_URL")?);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let redirect = format!("http://{}/callback", listener.local_addr()?);
    let http = Client::builder().redirect(Policy::none()).build()?;
    let client = BasicClient::new(ClientId::new(var("GAMEDATA_PUBLIC_CLIENT_ID")?))
        .set_auth_uri(AuthUrl::new(format!("{auth}/oauth/authorize"))?)
        .set_token_uri(TokenUrl::new(format!("{auth}/oauth/token"))?)
        .set_redirect_uri(RedirectUrl::new(redirect.clone())?);

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (page, state) = client
        .authorize_url(CsrfToken::new_random)
        .add_scope(Scope::new("account:profile".to_string()))
        .add_scope(Scope::new("account:characters".to_string()))
        .add_scope(Scope::new("account:leagues".to_string()))
        .set_pkce_challenge(challenge)
        .url();
    Command::new(var("BROWSER")?).arg(page.as_str()).spawn()?;

    let (mut stream, _) = listener.accept()?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    let path = line.split_whitespace().nth(1).ok_or("no request")?;
    let answer: HashMap<String, String> = Url::parse(&redirect)?.join(path)?.query_pairs().into_owned().collect();
    let message = "Go back to your terminal :)";
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{}", message.len(), message)?;
    if answer.get("state") != Some(state.secret()) {
        return Err("the state is another one".into());
    }

    let code = AuthorizationCode::new(answer.get("code").ok_or("no code")?.clone());
    let tokens = client.exchange_code(code).set_pkce_verifier(verifier).request(&http)?;
    let get = |path: &[&str], token: &AccessToken| -> Result<Value, Failure> {
        let mut url = Url::parse(&base)?;
        url.path_segments_mut().map_err(|()| "no path")?.extend(path);
        let text = http.get(url).bearer_auth(token.secret()).send()?.error_for_status()?.text()?;
        Ok(serde_json::from_str(&text)?)
    };
    get(&["profile"], tokens.access_token())?;

    let refresh = tokens.refresh_token().ok_or("no refresh token")?;
    let fresh = client.exchange_refresh_token(refresh).request(&http)?;
    let list = get(&["character"], fresh.access_token())?;
    for one in list["characters"].as_array().ok_or("no characters")?.iter().take(2) {
        get(&["character", one["name"].as_str().ok_or("no name")?], fresh.access_token())?;
    }
    get(&["account", "leagues"], fresh.access_token())?;
    Ok(())
}
