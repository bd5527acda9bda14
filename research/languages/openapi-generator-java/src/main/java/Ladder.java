import static java.lang.System.getenv;

import java.util.Map;
import org.example.game.ApiClient;
import org.example.game.api.AuthorizationApi;
import org.example.game.api.LeaguesApi;

public class Ladder {
  public static void main(String[] arguments) throws Exception {
    var game = new ApiClient();
    game.updateBaseUri(getenv("GAME_URL"));
    var token = new AuthorizationApi(game).issueToken(getenv("CLIENT_ID"), "client_credentials",
        getenv("CLIENT_SECRET"), null, null, "service:leagues:ladder", null, null);
    var bearer = Map.of("Authorization", "Bearer " + token.getAccessToken());
    var page = new LeaguesApi(game).getLeagueLadder("Standard", null, null, null, 10, 0, bearer);
    var ladder = page.getLadder(); // live services have it in ladder
    var entries = ladder == null ? page.getLeague().getEntries() : ladder.getEntries();
    for (var entry : entries)
      System.out.println(entry.getRank() + " " + entry.getCharacter().getName() + " " + entry.getCharacter().getLevel());
  }
}
