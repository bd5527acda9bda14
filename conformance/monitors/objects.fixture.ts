/** Objects as the interface describes them, with nothing that is optional; `over` adds and changes members. */
type Over = Readonly<Record<string, unknown>>;

/** 64 hexadecimal digits that end in a number. */
export const hex = (number: number): string => number.toString(16).padStart(64, '0');
/** 10 hexadecimal digits, as tabs have. */
export const tabId = (number: number): string => number.toString(16).padStart(10, '0');

export const anItem = (over: Over = {}): Over => ({
  verified: false,
  w: 1,
  h: 1,
  icon: 'https://img.example/a.png',
  name: '',
  typeLine: 'Ring',
  baseType: 'Ring',
  identified: true,
  ilvl: 80,
  ...over,
});

export const aLeague = (over: Over = {}): Over => ({ id: 'Standard', ...over });

export const aCharacter = (over: Over = {}): Over => ({
  id: hex(1),
  name: 'Kaya',
  realm: 'pc',
  class: 'Witch',
  level: 90,
  experience: 1,
  ...over,
});

/** Passives of the first game. */
export const passives1 = (over: Over = {}): Over => ({
  hashes: [1, 2],
  hashes_ex: [],
  mastery_effects: {},
  skill_overrides: {},
  jewel_data: {},
  ...over,
});

/** Passives of the second game. */
export const passives2 = (over: Over = {}): Over => ({
  hashes: [1],
  specialisations: { set1: [1], set2: [], shapeshift: [] },
  skill_overrides: {},
  jewel_data: {},
  ...over,
});

export const anEntry = (rank: number, over: Over = {}, character: Over = {}): Over => ({
  rank,
  character: { id: hex(rank), name: `c${rank}`, level: 90, class: 'Witch', ...character },
  ...over,
});

export const aTeam = (over: Over = {}): Over => ({ rank: 1, members: [aMember()], ...over });

export const aMember = (over: Over = {}): Over => ({
  account: { name: 'a' },
  character: { id: hex(1), name: 'c1', level: 90, class: 'Witch' },
  ...over,
});

export const aMatch = (over: Over = {}): Over => ({
  id: 'M',
  description: '',
  glickoRatings: false,
  pvp: true,
  style: 'Blitz',
  ...over,
});

export const aTab = (number: number, over: Over = {}): Over => ({
  id: tabId(number),
  name: 'tab',
  type: 'PremiumStash',
  metadata: {},
  ...over,
});

export const aFilter = (over: Over = {}): Over => ({
  id: 'f1',
  filter_name: 'cx',
  realm: 'pc',
  description: '',
  version: '',
  type: 'Normal',
  ...over,
});

export const listed = (over: Over = {}): Over => ({
  id: hex(1),
  public: true,
  stashType: 'PremiumStash',
  items: [],
  ...over,
});

export const aMarket = (over: Over = {}): Over => ({
  league: 'Standard',
  market_id: 'chaos|divine',
  volume_traded: { chaos: 10, divine: 1 },
  lowest_stock: { chaos: 1, divine: 1 },
  highest_stock: { chaos: 9, divine: 2 },
  lowest_ratio: { chaos: 140, divine: 1 },
  highest_ratio: { chaos: 160, divine: 1 },
  ...over,
});

export const aToken = (over: Over = {}): Over => ({
  access_token: 'abc.DEF-1',
  expires_in: 2592000,
  token_type: 'bearer',
  scope: 'account:profile account:stashes',
  username: 'alice',
  sub: '6F9619FF-8B86-4011-B42D-00CF4FC964FF',
  ...over,
});
