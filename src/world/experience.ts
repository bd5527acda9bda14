/** The most experience that a character has. */
export const TOP_EXPERIENCE = 4_000_000_000;

/** The experience of a character that is `part` (0 to 1) of its way through a level. */
export const experienceAt = (level: number, part: number): number =>
  level === 1 ? 0 : Math.floor(TOP_EXPERIENCE * ((level - 1 + part) / 100) ** 4);

/** The level of a character with so much experience. */
export const levelOf = (experience: number): number =>
  Math.min(100, 1 + Math.floor(100 * (experience / TOP_EXPERIENCE) ** (1 / 4)));
