use std::env::var;
use std::num::NonZeroU64;

use reqwest::header::{AUTHORIZATION, HeaderMap};

progenitor::generate_api!(spec = "openapi.3.0.json", interface = Builder);

type Failure = Box<dyn std::error::Error>;

fn bearer(token: &str) -> Result<Client, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {token}").parse()?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    Ok(Client::new_with_client(&var("GAME_URL")?, http))
}

/// A token request, for which client id and secret are known.
async fn tokens(grant: types::TokenRequestGrantType, scope: Option<String>, refresh: Option<String>) -> Result<types::TokenResponse, Failure> {
    let (id, secret) = (var("CLIENT_ID")?, var("CLIENT_SECRET")?);
    let body = types::TokenRequest::builder()
        .client_id(id)
        .client_secret(secret)
        .grant_type(grant)
        .scope(scope)
        .refresh_token(refresh);
    Ok(Client::new(&var("GAME_URL")?).issue_token().body(body).send().await?.into_inner())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let scope = "service:leagues:ladder service:psapi".to_string();
    let service = tokens(types::TokenRequestGrantType::ClientCredentials, Some(scope), None).await?;
    println!("client credentials: {}", service.token_type);
    let refresh = var("REFRESH_TOKEN")?;
    let user = tokens(types::TokenRequestGrantType::RefreshToken, None, Some(refresh)).await?;
    println!("refresh: {}", user.username);

    let found = bearer(&user.access_token)?.get_character().name("AsterOfReeds").send().await?.into_inner();
    let character = found.character.ok_or("no such character")?;
    let worn = character.equipment.map_or(0, |items| items.len());
    println!("character: level {}, experience {}, {worn} items", character.level, character.experience);

    let game = bearer(&service.access_token)?;
    let limit = NonZeroU64::new(500).ok_or("zero")?;
    let mut entries = 0;
    loop {
        let reply = game.get_league_ladder().league("Standard").limit(limit).offset(entries).send().await?.into_inner();
        let page = match (reply.ladder, reply.league) {
            (Some(page), _) => page.entries, // live services have it in ladder
            (None, Some(league)) => league.entries,
            (None, None) => vec![],
        };
        if page.is_empty() {
            break;
        }
        entries += page.len() as u64;
    }
    println!("ladder: {entries} entries");

    let (mut stashes, mut items, mut change) = (0, 0, None);
    loop {
        let mut call = game.get_public_stash_tabs();
        if let Some(id) = change {
            call = call.id::<String>(id);
        }
        let page = call.send().await?.into_inner();
        if page.stashes.is_empty() {
            break;
        }
        stashes += page.stashes.len();
        items += page.stashes.iter().filter_map(|stash| stash.items.as_ref()).map(Vec::len).sum::<usize>();
        change = Some(page.next_change_id);
    }
    println!("stream: {stashes} stashes, {items} items");
    Ok(())
}
