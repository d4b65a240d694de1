/** What a session runs on, from how its browser names itself. */

/** In order: the later ones are also named by the earlier. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** 'Firefox (Linux)', the same in every language; the first word of any other program, such as 'curl'; '' when nothing is known. */
export function deviceOf(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser === '') return /^[A-Za-z][\w.-]*/.exec(userAgent)?.[0] ?? ''
  return system === '' ? browser : `${browser} (${system})`
}

function nameIn(names: readonly (readonly [RegExp, string])[], userAgent: string): string {
  return names.find(([mark]) => mark.test(userAgent))?.[1] ?? ''
}
