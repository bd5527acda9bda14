use std::env::var;

progenitor::generate_api!(spec = "openapi.3.0.json", interface = Builder);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = var("GAME_URL")?;
    let form = types::TokenRequest::builder()
        .client_id(var("CLIENT_ID")?).client_secret(var("CLIENT_SECRET")?)
        .grant_type(types::TokenRequestGrantType::ClientCredentials).scope("service:leagues:ladder".to_string());
    let token = Client::new(&url).issue_token().body(form).send().await?.into_inner();
    let bearer = format!("Bearer {}", token.access_token).parse()?;
    let http = reqwest::Client::builder().default_headers([(reqwest::header::AUTHORIZATION, bearer)].into_iter().collect());
    let game = Client::new_with_client(&url, http.build()?);
    let page = game.get_league_ladder().league("Standard").limit(std::num::NonZeroU64::new(10).unwrap()).send().await?.into_inner();
    let entries = page.ladder.map(|ladder| ladder.entries).or(page.league.map(|league| league.entries)); // live services have it in ladder
    for entry in entries.unwrap_or_default() {
        println!("{} {} {}", entry.rank, entry.character.name, entry.character.level);
    }
    Ok(())
}
