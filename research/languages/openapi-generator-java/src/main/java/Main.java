import static java.lang.System.getenv;

import java.util.List;
import java.util.Map;
import org.example.game.ApiClient;
import org.example.game.ApiException;
import org.example.game.api.AuthorizationApi;
import org.example.game.api.CharactersApi;
import org.example.game.api.LeaguesApi;
import org.example.game.api.PublicStashesApi;
import org.example.game.model.LadderEntry;
import org.example.game.model.TokenResponse;

public class Main {
  private static Map<String, String> bearer(TokenResponse token) {
    return Map.of("Authorization", "Bearer " + token.getAccessToken());
  }

  public static void main(String[] arguments) throws ApiException {
    var client = new ApiClient();
    client.updateBaseUri(getenv("GAME_URL"));
    String id = getenv("CLIENT_ID"), secret = getenv("CLIENT_SECRET");
    var scope = "service:leagues:ladder service:psapi";

    var authorization = new AuthorizationApi(client);
    var service = authorization.issueToken(id, "client_credentials", secret, null, null, scope, null, null);
    System.out.println("client credentials: " + service.getTokenType());
    var refresh = getenv("REFRESH_TOKEN");
    var user = authorization.issueToken(id, "refresh_token", secret, null, null, null, null, refresh);
    System.out.println("refresh: " + user.getUsername());

    var character = new CharactersApi(client).getCharacter("AsterOfReeds", bearer(user)).getCharacter();
    var worn = character.getEquipment();
    System.out.printf("character: level %d, experience %d, %d items%n",
        character.getLevel(), character.getExperience(), worn == null ? 0 : worn.size());

    var leagues = new LeaguesApi(client);
    int entries = 0;
    while (true) {
      var reply = leagues.getLeagueLadder("Standard", null, null, null, 500, entries, bearer(service));
      List<LadderEntry> page = List.of();
      if (reply.getLadder() != null) page = reply.getLadder().getEntries(); // live services have it in ladder
      else if (reply.getLeague() != null) page = reply.getLeague().getEntries();
      if (page.isEmpty()) break;
      entries += page.size();
    }
    System.out.println("ladder: " + entries + " entries");

    var stream = new PublicStashesApi(client);
    String change = null;
    int stashes = 0, items = 0;
    while (true) {
      var page = stream.getPublicStashTabs(change, bearer(service));
      if (page.getStashes().isEmpty()) break;
      stashes += page.getStashes().size();
      for (var stash : page.getStashes()) items += stash.getItems() == null ? 0 : stash.getItems().size();
      change = page.getNextChangeId();
    }
    System.out.println("stream: " + stashes + " stashes, " + items + " items");
  }
}
