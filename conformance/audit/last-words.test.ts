import { describe, expect, it } from 'vitest';

import { lastWords } from './last-words.js';

describe('the last words of a client', () => {
  it.each([
    ['nothing', '', ''],
    ['a line', 'starting\ncurl: (7) Failed to connect\n', 'curl: (7) Failed to connect'],
    [
      'an error of Node with its members',
      'x.js:1\nTypeError: fetch failed\n    at node:internal/x:1:2 {\n  code: 404\n}\n\nNode.js v20.20.2\n',
      'TypeError: fetch failed',
    ],
    [
      'an object',
      "Login failed: {\n  status: 400,\n  error: 'invalid_grant'\n}\n",
      "Login failed: { status: 400, error: 'invalid_grant' }",
    ],
    ['a bare object', "{\n  error: 'invalid_grant'\n}\n", "{ error: 'invalid_grant' }"],
    [
      'a traceback',
      'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: \'location\'\n',
      "KeyError: 'location'",
    ],
    [
      'a panic of Go',
      'panic: no token\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:5 +0x1d\nexit status 2\n',
      'panic: no token',
    ],
    [
      'a panic of Rust',
      "thread 'main' panicked at src/main.rs:5:9:\nno token\nnote: run with `RUST_BACKTRACE=1`\n",
      'no token',
    ],
    [
      'an error of npm',
      'npm error npx canceled due to missing packages\nnpm error A complete log of this run can be found in: /x.log\n',
      'npm error npx canceled due to missing packages',
    ],
    [
      'an exception of Java',
      'Exception in thread "main" java.lang.X: no token\n\tat Main.main(Main.java:5)\n',
      'Exception in thread "main" java.lang.X: no token',
    ],
  ])('are found behind %s', (_, output, words) => {
    expect(lastWords(output)).toBe(words);
  });
});
