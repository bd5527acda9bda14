import { describe, expect, it } from 'vitest';

import { formsIn } from './html-form.js';
import { htmlTokens } from './html.js';

/** What a browser would send of a form that nobody touched, and its buttons. */
const sends = (page: string): string[] =>
  (formsIn(page)[0]?.controls ?? [])
    .filter(({ chosen, kind }) => chosen || kind === 'submit')
    .map(({ name, value, kind, label }) => `${kind} ${name}=${value}${kind === 'submit' ? ` "${label}"` : ''}`);

describe('forms in a page', () => {
  it('have an action and a method, whatever the quotes', () => {
    expect(
      formsIn(`<FORM ACTION=/a?x=1&amp;y=2 Method = 'post'></FORM><form action="">
        </form><form action='/b' method=dialog enctype="multipart/form-data">`).map(({ controls: _, ...form }) => form),
    ).toEqual([
      { action: '/a?x=1&y=2', method: 'POST' },
      { action: undefined, method: 'GET' },
      { action: '/b', method: 'GET' },
    ]);
  });

  it('send inputs of all kinds as they stand', () => {
    expect(
      sends(`<form>
        <input name=a value="1 &lt; 2 &#38; 3 &#x1F600; &unknown; &ampx">
        <input type=HIDDEN name=b value='"'><input type="password" name="c"><input name="d" />
        <input type=checkbox name=e checked><input type=checkbox name=f value=no><input type=radio name=g value=1>
        <input type=radio name=g value=2 checked="checked">
        <input type=file name=h><input type=reset name=i><input type=button name=j value=x>
        <textarea name=k>
 <b>&amp;</b></textarea>
        </form>`),
    ).toEqual([
      'text a=1 < 2 & 3 😀 &unknown; &ampx',
      'text b="',
      'text c=',
      'text d=',
      'checkbox e=on',
      'radio g=2',
      'text k= <b>&</b>',
    ]);
  });

  it('have buttons with what stands on them', () => {
    expect(
      sends(`<form><button name=decision value=approve>Yes, <b>do</b>
        so</button><button type=submit name=x>X</button><button type=button name=no>No</button>
        <input type=submit value=Go><input type=image name=picture></form>`),
    ).toEqual(['submit decision=approve "Yes, do so"', 'submit x= "X"', 'submit =Go "Go"', 'submit picture= ""']);
  });

  it('send the chosen of a list, the first where none is, and none of many', () => {
    expect(
      sends(`<form><select name=a><option>One  two<option value=2>Two</select>
        <select name=b><option value=1><option value=2 selected>x</option><option value=3 disabled selected></select>
        <select name=c multiple><option>1<option selected>2<option selected>3</select></form>`),
    ).toEqual(['select a=One two', 'select b=2', 'select c=2', 'select c=3']);
  });

  it('leave out what is disabled, by itself or with its field set', () => {
    expect(
      sends(`<form><input name=a disabled><fieldset disabled><input name=b><fieldset><input name=c></fieldset>
        <select name=d><option>1</select></fieldset><input name=e></form>`),
    ).toEqual(['text e=']);
  });

  it('own controls elsewhere that name them, and none of another form', () => {
    const page = '<input name=x form=f><form id=f></form><form id=g><input name=y><input name=z form=f></form>';
    expect(formsIn(page).map(({ controls }) => controls.map(({ name }) => name))).toEqual([['x', 'z'], ['y']]);
  });

  it('are not seen in comments, scripts, styles and text areas', () => {
    const page = `<!-- <form> --><!doctype html><script>"<form>"; if (a<b) x('</scrip>')</script>
      <style>a::after { content: '<form>' }</style><title><form></title><textarea><form></textarea><!--> <?php <form> ?>`;
    expect(formsIn(page)).toEqual([]);
    expect(formsIn(`${page}<form id=real>`)).toHaveLength(1);
  });

  it('are read from what is hardly HTML', () => {
    for (const page of [
      '<',
      '<form',
      '<form a="',
      "<form a='x",
      '<form><input name="x',
      '< form>',
      '<!--',
      '</',
      '<a =b>',
      '<form><button',
      '<form><textarea name=a>x',
    ]) {
      expect(() => formsIn(page)).not.toThrow();
    }
    expect(sends('<form><textarea name=a>x')).toEqual(['text a=x']);
    expect(sends('<form><p>1 < 2 <input name=a></form')).toEqual(['text a=']);
  });

  it('take time that grows with the page and not faster', () => {
    const page = `<form>${'<input name=a value="x">'.repeat(20_000)}${'<'.repeat(20_000)}${' a'.repeat(20_000)}`;
    expect(formsIn(page)[0]?.controls).toHaveLength(20_000);
    expect(htmlTokens(`<a${Array.from({ length: 50_000 }, (_, index) => ` b${index}`).join('')}>`)).toHaveLength(1);
  });
});
