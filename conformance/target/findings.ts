/** One thing that the doctor looked at. */
export interface Finding {
  /** What was looked at: a key of the target, such as `base_url` or `clients.service`. */
  readonly about: string;
  /** `note`: no obstacle, but worth knowing. */
  readonly state: 'ok' | 'problem' | 'note';
  /** What was met. */
  readonly met: string;
  /** What to change; none where there is nothing to. */
  readonly remedy?: string;
}

export const ok = (about: string, met: string): Finding => ({ about, state: 'ok', met });
export const problem = (about: string, met: string, remedy: string): Finding => ({
  about,
  state: 'problem',
  met,
  remedy,
});
export const note = (about: string, met: string, remedy?: string): Finding => ({
  about,
  state: 'note',
  met,
  ...(remedy !== undefined && { remedy }),
});
