import type { Bytes } from './bytes.js';
import { nativeBytes } from './native.js';
import { portableBytes } from './portable.js';

export const bytes: Bytes = nativeBytes() ?? portableBytes;
