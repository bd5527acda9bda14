import org.example.game.apis.AuthorizationApi
import org.example.game.apis.AuthorizationApi.GrantTypeIssueToken
import org.example.game.apis.CharactersApi
import org.example.game.apis.LeaguesApi
import org.example.game.apis.PublicStashesApi
import org.example.game.infrastructure.ApiClient

fun main() {
    val url = System.getenv("GAME_URL")
    val id = System.getenv("CLIENT_ID")
    val secret = System.getenv("CLIENT_SECRET")

    val authorization = AuthorizationApi(url)
    val scope = "service:leagues:ladder service:psapi"
    val service = authorization.issueToken(id, GrantTypeIssueToken.client_credentials, secret, scope = scope)
    println("client credentials: ${service.tokenType}")
    val refresh = System.getenv("REFRESH_TOKEN")
    val user = authorization.issueToken(id, GrantTypeIssueToken.refresh_token, secret, refreshToken = refresh)
    println("refresh: ${user.username}")

    ApiClient.accessToken = user.accessToken
    val character = checkNotNull(CharactersApi(url).getCharacter("AsterOfReeds").character)
    val worn = character.equipment.orEmpty()
    println("character: level ${character.level}, experience ${character.experience}, ${worn.size} items")

    ApiClient.accessToken = service.accessToken
    var entries = 0
    while (true) {
        val reply = LeaguesApi(url).getLeagueLadder("Standard", limit = 500, offset = entries)
        val page = reply.ladder?.propertyEntries ?: reply.league?.propertyEntries // live services have it in ladder
        if (page.isNullOrEmpty()) break
        entries += page.size
    }
    println("ladder: $entries entries")

    var change: String? = null
    var stashes = 0
    var items = 0
    while (true) {
        val page = PublicStashesApi(url).getPublicStashTabs(change)
        if (page.stashes.isEmpty()) break
        stashes += page.stashes.size
        items += page.stashes.sumOf { it.items.orEmpty().size }
        change = page.nextChangeId
    }
    println("stream: $stashes stashes, $items items")
}
