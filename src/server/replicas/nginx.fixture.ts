import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const nginx = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** Why nginx cannot run on this machine; undefined where it can. */
export const noNginx = nginx === undefined ? 'nginx is not installed (apt-get install nginx)' : undefined;

/** Starts nginx with the text of a file of its folder conf.d, and with all files of its own in a folder. */
export function startNginx(folder: string, configuration: string): ChildProcess {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path t-${name};`);
  const around = `pid nginx.pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}`;
  writeFileSync(join(folder, 'nginx.conf'), `${around}\n${configuration}}\n`);
  const options = ['-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;', '-e', 'stderr'];
  return spawn(nginx ?? '', options, { stdio: 'ignore' });
}
