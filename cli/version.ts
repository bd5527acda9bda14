export { packageVersion } from '../src/input/package.js';
