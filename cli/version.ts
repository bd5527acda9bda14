export { packageVersion } from '../src/input/version.gen.js';
