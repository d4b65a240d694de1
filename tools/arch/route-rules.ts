/** Every call of the contract is mounted exactly once by the API, and nothing else is. Pure. */
import { blankOut, type SourceFile } from './source.ts'

const ROUTE = /\bexport\s+const\s+(\w+)\s*=\s*(?:route|removal)\s*\(/g
/** mount(app, ctx, call, …), mountAdd and mountPrepared alike, mountOpen(app, call, …): the call is the first that is not plumbing. */
const MOUNT = /\bmount(?:Add|Open|Prepared)?\s*\(\s*\w+\s*,\s*(?:ctx\s*,\s*)?(?:\w+\.)?(\w+)/g

const MOUNTS = /\/http\/mount(-add)?\.ts$/

/** One line per fault; pass all files of contract and api. */
export function checkRoutes(files: readonly SourceFile[]): string[] {
  const defined = namesIn(files, 'packages/contract/src/', ROUTE)
  const mounted = namesIn(files, 'packages/api/src/', MOUNT)
  const faults: string[] = []
  for (const [name, paths] of defined) {
    const times = mounted.get(name)?.length ?? 0
    if (paths.length > 1) faults.push(`${name} is defined twice: ${paths.join(', ')}`)
    if (times === 0) faults.push(`${name} (${paths[0]}) is not mounted by the API`)
    if (times > 1)
      faults.push(`${name} is mounted ${times} times: ${mounted.get(name)?.join(', ')}`)
  }
  for (const [name, paths] of mounted) {
    if (!defined.has(name)) faults.push(`${paths[0]} mounts ${name}, which is no route of contract`)
  }
  return faults
}

function namesIn(
  files: readonly SourceFile[],
  under: string,
  pattern: RegExp,
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, text } of files) {
    if (!path.startsWith(under) || path.includes('.test.')) continue
    for (const match of blankOut(text, 'comments and strings').matchAll(pattern)) {
      const name = match[1] ?? ''
      // What defines how calls are mounted names a parameter.
      if (MOUNTS.test(path)) continue
      found.set(name, [...(found.get(name) ?? []), path])
    }
  }
  return found
}
