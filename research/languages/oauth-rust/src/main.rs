use std::collections::HashMap;
use std::env::var;

use oauth2::basic::BasicClient;
use oauth2::reqwest::{blocking::Client, redirect::Policy};
use oauth2::url::Url;
use oauth2::{AccessToken, AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken};
use oauth2::{PkceCodeChallenge, RedirectUrl, Scope, TokenResponse, TokenUrl};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let (url, id, secret) = (var("GAME_URL")?, var("CLIENT_ID")?, var("CLIENT_SECRET")?);
    let http = Client::builder().redirect(Policy::none()).build()?;
    let application = BasicClient::new(ClientId::new(id.clone()))
        .set_client_secret(ClientSecret::new(secret.clone()))
        .set_auth_type(AuthType::RequestBody)
        .set_auth_uri(AuthUrl::new(format!("{url}/oauth/authorize"))?)
        .set_token_uri(TokenUrl::new(format!("{url}/oauth/token"))?)
        .set_redirect_uri(RedirectUrl::new("https://app.example/callback".to_string())?);
    let get = |path: &str, token: &AccessToken| http.get(format!("{url}{path}")).bearer_auth(token.secret()).send();
    let name_of = |token: &AccessToken| -> Result<String, Failure> {
        let profile: serde_json::Value = serde_json::from_str(&get("/profile", token)?.text()?)?;
        Ok(profile["name"].as_str().ok_or("no name")?.to_string())
    };

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let page = application.authorize_url(CsrfToken::new_random).add_scope(Scope::new("account:profile".to_string()));
    let (page, state) = page.set_pkce_challenge(challenge).url();
    // A browser goes to the page; here the mock consents at once and says where the browser would come back.
    let back = Url::parse(http.get(page).send()?.headers()["location"].to_str()?)?;
    let answer: HashMap<String, String> = back.query_pairs().into_owned().collect();
    if answer.get("state") != Some(state.secret()) {
        return Err("this answer is to another request".into());
    }
    let code = AuthorizationCode::new(answer.get("code").ok_or("no code")?.clone());
    let tokens = application.exchange_code(code).set_pkce_verifier(verifier).request(&http)?;
    println!("code: {}", name_of(tokens.access_token())?);

    let refresh = tokens.refresh_token().ok_or("no refresh token")?;
    let fresh = application.exchange_refresh_token(refresh).request(&http)?;
    println!("refresh: {}", name_of(fresh.access_token())?);

    let scope = Scope::new("service:leagues".to_string());
    let service = application.exchange_client_credentials().add_scope(scope).request(&http)?;
    println!("client credentials: {}", get("/league", service.access_token())?.status().as_u16());

    // The library revokes at https addresses alone: a form of RFC 7009 with client authentication.
    let form = [("token", fresh.access_token().secret()), ("client_id", &id), ("client_secret", &secret)];
    http.post(format!("{url}/oauth/token/revoke")).form(&form).send()?.error_for_status()?;
    println!("revocation: {}", get("/profile", fresh.access_token())?.status().as_u16());
    Ok(())
}
