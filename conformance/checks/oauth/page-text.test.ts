import { describe, expect, it } from 'vitest';

import { isWarning, namesTopic, onlyIn, sentencesOf, statementIn } from './page-text.js';

describe('sentences of a page', () => {
  it('are what a reader sees', () => {
    const page = `<!doctype html><html><head><title>No</title><style>p { x: "cannot be verified" }</style></head>
      <body><h1>Allow <b>Maps</b>?</h1><p>It wants two things. Both <em>matter</em>!</p>
      <p hidden>This cannot be verified.<p>Shown
      <div hidden><div>Not</div> this</div><div style="display: none">Nor this.</div><i class="hidden">No</i><img alt="A lock">
      <script>"<p>not verified</p>"</script><button>Allow</button></body></html>`;
    expect(sentencesOf(page)).toEqual(['allow maps', 'it wants two things', 'both matter', 'shown', 'a lock', 'allow']);
  });
});

describe('sentences that only one page has', () => {
  it('are not those that differ in names', () => {
    expect(onlyIn(['example desktop wants to use your account'], ['example web wants to use your account'])).toEqual(
      [],
    );
    expect(onlyIn(['example desktop'], ['example web'])).toEqual([]);
    const warning = 'it cannot be verified who sent this request';
    expect(onlyIn([warning], ['example web wants to use your account'])).toEqual([warning]);
    const denied = 'we could not check who sent this request';
    expect(onlyIn([denied], ['we checked who sent this request'])).toEqual([denied]);
    expect(onlyIn(['die identität wurde nicht verifiziert'], ['die identität wurde verifiziert'])).toHaveLength(1);
    expect(onlyIn(['unknown publisher'], ['example web'])).toHaveLength(1);
    expect(onlyIn(['do not share your password'], ['do not share your password'])).toEqual([]);
    expect(onlyIn(['このリクエストの真正性は確認できません'], ['許可する'])).toHaveLength(1);
  });
});

describe('a warning', () => {
  it.each([
    "the authenticity of this request can't be verified",
    'we cannot verify that this request comes from example desktop',
    'unverified application',
    'the identity of this app has not been confirmed',
    'authenticity: not verifiable',
    'we could not confirm the authenticity of this application',
  ])('is recognised: %s', (sentence) => {
    expect(statementIn(sentence)).toBeDefined();
  });

  it.each(['this application was verified', 'do you trust example web', 'confirm access', 'never share your password'])(
    'is not seen in: %s',
    (sentence) => {
      expect(statementIn(sentence)).toBeUndefined();
    },
  );

  it('is about authenticity', () => {
    expect(isWarning("the authenticity of this request can't be verified")).toBe(true);
    expect(isWarning('we cannot guarantee that this page is up to date')).toBe(false);
    expect(isWarning('this application was verified')).toBe(false);
  });

  it('may be named without being stated', () => {
    expect(namesTopic('be careful, anybody may use this name')).toBe(true);
    expect(namesTopic('example web wants to use your account')).toBe(false);
  });
});
