/**
 * What Trunkline needs from Debian, and by which file each package is recognised. Looking for the
 * file rather than asking dpkg accepts tools that came another way (a newer ffmpeg in /usr/local).
 */

/**
 * @typedef {'build' | 'run' | 'test'} Need
 * @typedef {{ name: string, need: 'run' | 'test', programs?: string[], files?: string[], glob?: [string, string] }} DebianPackage
 */

/** @type {readonly DebianPackage[]} */
const debianPackages = [
  { name: 'ffmpeg', need: 'run', programs: ['ffmpeg', 'ffprobe'] },
  { name: 'srt-tools', need: 'run', programs: ['srt-live-transmit'] },
  { name: 'rist-tools', need: 'run', programs: ['ristsender', 'ristreceiver'] },
  { name: 'supervisor', need: 'run', programs: ['supervisord'] },
  // ffmpeg's drawtext filter burns the clock into the test pattern with this font.
  {
    name: 'fonts-dejavu-core',
    need: 'run',
    files: ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'],
  },
  { name: 'util-linux', need: 'run', programs: ['setpriv'] },
  // Chromium without the parts that draw a window: a page costs a third less.
  { name: 'chromium-headless-shell', need: 'test', programs: ['chromium-headless-shell'] },
  // Debian keeps the server's programs out of PATH: /usr/lib/postgresql/15/bin/initdb.
  { name: 'postgresql', need: 'test', glob: ['/usr/lib/postgresql', 'bin/initdb'] },
  // Not in the PATH of an ordinary account.
  { name: 'snmptrapd', need: 'test', files: ['/usr/sbin/snmptrapd'] },
  // Brings promtool, which checks metrics and alert rules.
  { name: 'prometheus', need: 'test', programs: ['promtool'] },
  { name: 'openssl', need: 'test', programs: ['openssl'] },
  // Signs releases, and checks them.
  { name: 'gnupg', need: 'test', programs: ['gpg', 'gpgv'] },
  // The proxy of docs/operate/10, before two API processes. Not in the PATH of an ordinary account.
  { name: 'nginx-light', need: 'test', files: ['/usr/sbin/nginx'] },
  // Our packages need it where they are installed, and their units are checked by systemd's own tool.
  { name: 'adduser', need: 'test', programs: ['adduser'] },
  { name: 'systemd', need: 'test', programs: ['systemd-analyze'] },
]

/**
 * The packages that a kind of work needs: tests need all that running needs, and more; a build none.
 * @param {Need} need
 */
export function packagesFor(need) {
  if (need === 'build') return []
  return debianPackages.filter((debianPackage) => need === 'test' || debianPackage.need === 'run')
}
