export { packageVersion } from '../server/package.js';
