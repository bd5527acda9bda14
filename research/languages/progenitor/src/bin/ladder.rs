use std::env::var;

use reqwest::header::{AUTHORIZATION, HeaderMap};

progenitor::generate_api!(spec = "openapi.3.0.json", interface = Builder);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (url, grant) = (var("GAME_URL")?, types::TokenRequestGrantType::ClientCredentials);
    let form = types::TokenRequest::builder().client_id(var("CLIENT_ID")?).client_secret(var("CLIENT_SECRET")?);
    let form = form.grant_type(grant).scope("service:leagues:ladder".to_string());
    let token = Client::new(&url).issue_token().body(form).send().await?.into_inner();
    let bearer = (AUTHORIZATION, format!("Bearer {}", token.access_token.as_str()).parse()?);
    let http = reqwest::Client::builder().default_headers(HeaderMap::from_iter([bearer])).build()?;
    let game = Client::new_with_client(&url, http);
    let page = game.get_league_ladder().league("Standard").limit(10u64).send().await?.into_inner();
    let entries = page.ladder.map(|live| live.entries).or(page.league.map(|league| league.entries));
    for entry in entries.unwrap_or_default() {
        println!("{} {} {}", entry.rank, entry.character.name, entry.character.level);
    }
    Ok(())
}
