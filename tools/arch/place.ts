/** Where a file stands in the house (ARCHITECTURE.md): its package, room, feature and role. */

export interface Place {
  /** 'contract', 'console', 'api', 'agent', 'testbed', or another top folder such as 'e2e'. */
  readonly house: string
  /** Path inside the package's src, '' outside the packages. */
  readonly inside: string
  /** First folder inside src, '' for files at its top such as main.ts. */
  readonly room: string
  /** 'service' of encoder.service.ts; '' when the file name has no role. */
  readonly role: string
  /** Tests and what only they use may reach across rooms of their package. */
  readonly isTest: boolean
}

/** Left may not know right (rule 4). */
export const FEATURES = ['users', 'session', 'groups', 'servers', 'encoders', 'channels', 'links']

export function placeOf(path: string): Place {
  const [, house = path.split('/')[0] ?? '', inside = ''] =
    /^packages\/([^/]+)\/src\/(.*)$/.exec(path) ?? []
  const room = inside.includes('/') ? (inside.split('/')[0] ?? '') : ''
  const name = path.split('/').at(-1) ?? ''
  const isTest =
    /\.test\.tsx?$/.test(name) ||
    ['test', 'testing'].includes(room) ||
    /\.fixture\.tsx?$/.test(name)
  const role = /^[^.]+\.([a-z-]+)\.tsx?$/.exec(name.replace('.test.', '.'))?.[1] ?? ''
  return { house, inside, room, role, isTest }
}

/**
 * The file, or the package, that an import means: 'packages/api/src/app.ts' for './app.ts', the
 * bare name for a package from npm.
 */
export function resolveImport(from: string, specifier: string): string {
  const own = /^@trunkline\/([^/]+)(?:\/(.+))?$/.exec(specifier)
  if (own !== null) return `packages/${own[1]}/src/${own[2] ?? 'index'}.ts`
  if (!specifier.startsWith('.')) return specifier
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
