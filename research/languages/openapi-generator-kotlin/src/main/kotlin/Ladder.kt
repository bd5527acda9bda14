import java.lang.System.getenv
import org.example.game.apis.AuthorizationApi
import org.example.game.apis.AuthorizationApi.GrantTypeIssueToken
import org.example.game.apis.LeaguesApi
import org.example.game.infrastructure.ApiClient

fun main() {
    val url = getenv("GAME_URL")
    val (id, secret) = getenv("CLIENT_ID") to getenv("CLIENT_SECRET")
    val grant = GrantTypeIssueToken.client_credentials
    val token = AuthorizationApi(url).issueToken(id, grant, secret, scope = "service:leagues:ladder")
    ApiClient.accessToken = token.accessToken
    val page = LeaguesApi(url).getLeagueLadder("Standard", limit = 10)
    val entries = page.ladder?.propertyEntries ?: page.league?.propertyEntries // live services have it in ladder
    for (entry in entries.orEmpty()) println("${entry.rank} ${entry.character.name} ${entry.character.level}")
}
