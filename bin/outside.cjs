// Node strips no types from files below node_modules, and there Florin stands when another project has installed it. Then a copy
// of its own files outside is run: made once for each version, in a folder that only this account can write, beside a link to the
// packages that npm brought (docs/decisions/0082).
// CommonJS, as the test kit needs it too, and jest loads nothing else.
'use strict';
const { createHash } = require('crypto');
const { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } = require('fs');
const { realpathSync, renameSync, rmSync, symlinkSync } = require('fs');
const { homedir } = require('os');
const { basename, dirname, join } = require('path');

exports.cacheFolder = cacheFolder;
exports.copyOutside = copyOutside;

/** What a change of makes another copy. */
const PROGRAM = ['package.json', 'bin', 'src', 'web'];

/** What may be kept between runs, and be removed at any time while nothing runs. */
function cacheFolder() {
  const parent = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(parent, 'florin');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0))
    throw new Error(
      folder + ' can be written by others, so nothing is run from it. Set XDG_CACHE_HOME to a folder of yours.',
    );
  return folder;
}

/** The root of a copy that can be run. */
function copyOutside(given) {
  const root = realpathSync(given);
  const programs = join(cacheFolder(), 'programs');
  const folder = join(programs, nameOf(root));
  const copy = join(folder, 'florin');
  if (existsSync(copy)) return copy;
  mkdirSync(programs, { recursive: true, mode: 0o700 });
  const begun = mkdtempSync(folder + '.new-');
  const own = join(begun, 'florin');
  const modules = join(root, 'node_modules');
  cpSync(root, own, { recursive: true, filter: (path) => path !== modules });
  // npm puts most packages beside Florin, and below it those of which the project has another version
  symlinkSync(dirname(root), join(begun, 'node_modules'));
  mkdirSync(join(own, 'node_modules'));
  if (existsSync(modules))
    for (const name of readdirSync(modules))
      if (name !== '.cache') symlinkSync(join(modules, name), join(own, 'node_modules', name));
  try {
    renameSync(begun, folder);
  } catch (error) {
    // another process was quicker: its copy is the same
    rmSync(begun, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** By place and contents: a package that is installed anew may have the version that another one had. */
function nameOf(root) {
  const hash = createHash('sha256').update(root);
  for (const name of PROGRAM) addTo(hash, join(root, name));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return basename(root) + '-' + version + '-' + hash.digest('hex').slice(0, 16);
}

function addTo(hash, path) {
  const found = lstatSync(path);
  if (!found.isDirectory()) hash.update(path + ' ' + found.size + ' ' + found.mtimeMs + ' ' + found.ctimeMs + '\n');
  else for (const name of readdirSync(path).toSorted()) addTo(hash, join(path, name));
}
