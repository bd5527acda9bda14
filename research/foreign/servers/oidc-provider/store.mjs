/** Keeps everything, as a database would. The adapter that the package ships forgets what exceeds 1,000 entries. */
const kept = new Map();

export class Store {
  constructor(model) {
    this.model = model;
  }
  key(id) {
    return `${this.model} ${id}`;
  }
  async upsert(id, payload) {
    kept.set(this.key(id), payload);
    if (payload.uid) kept.set(this.key(`uid ${payload.uid}`), payload);
  }
  async find(id) {
    return kept.get(this.key(id));
  }
  async findByUid(uid) {
    return kept.get(this.key(`uid ${uid}`));
  }
  async findByUserCode() {
    return undefined;
  }
  async consume(id) {
    kept.get(this.key(id)).consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id) {
    kept.delete(this.key(id));
  }
  async revokeByGrantId(grantId) {
    for (const [key, payload] of kept) if (payload.grantId === grantId && !key.startsWith('Session')) kept.delete(key);
  }
}
