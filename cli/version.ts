export { packageVersion } from '../src/server/package.js';
