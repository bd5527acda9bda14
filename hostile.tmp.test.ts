import { mkdtempSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, expect, vi } from 'vitest';
import { programOf } from './src/cli/program.js';
import { run } from './src/cli/run.js';
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const file = (name: string, text: string|Buffer) => { const p = join(folder, name); writeFileSync(p, text); return p; };
mkdirSync(join(folder,'empty'));
const values = [
  '', ' ', '-', '--', '\0', 'a\0b', '\uFEFF', '..', '/', '/dev/null', '%', '%00', 'x'.repeat(200_000), '😀', '\r\nx: y', '1e308', '-1', '99999999999999999999', 'NaN', '0x10',
  'http://', 'http://[', 'https://localhost:1*', 'foo://x', 'javascript:alert(1)', 'http://u:p@127.0.0.1:1/', 'redis://:pw@', 'redis://h:99999/', '__proto__=1', '__proto__', 'constructor=on', 'a=b', '=', 'toString',
  folder, join(folder,'gone'), file('empty.txt',''), file('bytes', Buffer.from([0xff,0xfe,0,0x80])), file('deep.yaml','['.repeat(10000)), file('deep.json','{"a":'.repeat(20000)), file('null.yaml','null'), file('list.yaml','- 1\n- [a]\n'), file('proto.yaml','__proto__: {a: 1}\nconstructor: 2\n'), file('bomb.yaml','a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c]\n'), file('cyc.yaml','a: &a\n  b: *a\n'), file('map.yaml','? {a: b}\n: c\n1: 2\n~: 3\n'), file('big.yaml', 'x: '.repeat(1000000)), file('date.yaml','2020-01-01: 2020-01-01T00:00:00Z\n'), file('tag.yaml','!!js/function x: !foo bar\n'), file('bin.yaml','a: !!binary aGk=\nb: !!set {x}\n'),
];
const base: Record<string, string[]> = {
  mock: ['--port','0','--exec'], verify: ['--base-url','http://127.0.0.1:1','--only','GEN-001','--time-limit','3'], audit: ['--time-limit','1','--world','rotation'], check: [join(folder,'empty.txt')], doctor: ['--base-url','http://127.0.0.1:1'], 'target init': [], 'tree decode': [], 'tree encode': [], compare: ['a','b'], merge: ['a'], replay: ['a'],
};
const tail: Record<string,string[]> = { mock: ['--','true'], audit: ['--','true'] };
const bad: string[] = [];
async function attempt(args: string[]) {
  let text=''; 
  const e = vi.spyOn(process.stderr,'write').mockImplementation((c:any)=>{text+=c;return true;});
  const o = vi.spyOn(process.stdout,'write').mockImplementation(()=>true);
  const t = performance.now(); let code: any;
  const cwd = process.cwd(); process.chdir(join(folder,'empty'));
  try { code = await Promise.race([run(args), new Promise(r=>setTimeout(()=>r('HANG'),8000))]); } catch (x) { code = 'THROW '+x; }
  finally { e.mockRestore(); o.mockRestore(); process.chdir(cwd);} 
  const ms = performance.now()-t;
  if (/crashed|report it/.test(text) || typeof code !== 'number' || ms>4000 || text.length>5000) bad.push(`${JSON.stringify(args.map(a=>a.slice(0,60)))} => ${code} ${Math.round(ms)}ms len ${text.length} ${text.slice(0,200)}`);
  process.exitCode = 0;
}
it('hostile', async () => {
  for (const [command, own] of Object.entries(base)) {
    if (process.env.ONLY && !process.env.ONLY.split(',').includes(command)) continue;
    const words = command.split(' ');
    const program = await programOf(words);
    let at: any = program; for (const w of words) at = at.commands.find((c: any)=>c.name()===w);
    for (const option of at.options) {
      if (!option.required && !option.optional) continue;
      for (const value of values) await attempt([...words, ...own, `${option.long}=${value}`, ...(tail[command]??[])]);
      console.log(command, option.long, bad.length);
    }
    for (const value of values) await attempt([...words, value, ...(tail[command]??[])]);
  }
  console.log(bad.join('\n'));
}, 3_000_000);
