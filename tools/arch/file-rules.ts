/**
 * What may stand in which file: one door per outside thing (rule 7), names that say something, and
 * sizes. Pure, as the import rules are.
 */
import { placeOf, type Place } from './place.ts'
import { blankOut, importsOf, type SourceFile } from './source.ts'

/** A file longer than this is two files. */
const MAX_LINES = 400
/** A folder with more is several. */
const MAX_FILES_OF_FOLDER = 30
/** They say where something is kept, not what it is; everything ends up in them. */
const EMPTY_NAMES = /^(index|utils?|helpers?|manager|types)\.tsx?$/

interface Door {
  readonly what: string
  readonly houses: readonly string[]
  /** Seen in the code, without comments and strings; or as an import. */
  readonly code?: RegExp
  readonly imports?: RegExp
  readonly door: string
  readonly isDoor: (place: Place) => boolean
}

/** A global by its name, also as window.fetch, but no method of ours: not client.fetch(). */
function global(name: string): RegExp {
  return new RegExp(`(^|[^.\\w$]|\\b(?:window|globalThis|self)\\.)${name}\\b(?!\\s*:)`)
}

const PRODUCT = ['contract', 'console', 'api', 'agent']

const DOORS: readonly Door[] = [
  {
    what: 'process.env',
    houses: PRODUCT,
    code: /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\bimport\.meta\.env\b/,
    door: 'config.ts, and of the console lib/locale/language.ts, which it is built by, and lib/part-files.ts, which knows where it is served',
    isDoor: ({ inside }) =>
      ['config.ts', 'lib/locale/language.ts', 'lib/part-files.ts'].includes(inside),
  },
  {
    what: 'fetch',
    houses: ['console'],
    code: global('fetch'),
    door: 'lib/call.ts, lib/live/live-fetch.ts, which a worker without a page has too, and lib/part-files.ts for files of the build',
    isDoor: ({ inside }) =>
      ['lib/call.ts', 'lib/live/live-fetch.ts', 'lib/part-files.ts'].includes(inside),
  },
  {
    what: 'XMLHttpRequest',
    houses: ['console'],
    code: global('XMLHttpRequest'),
    door: 'lib/call.ts',
    isDoor: ({ inside }) => inside === 'lib/call.ts',
  },
  {
    what: 'EventSource',
    houses: ['console'],
    code: global('EventSource'),
    door: 'nowhere: it cannot send the token, lib/live/live.ts reads the stream by fetch',
    isDoor: () => false,
  },
  {
    what: 'storage of the browser',
    houses: ['console'],
    code: new RegExp(`${global('localStorage').source}|${global('sessionStorage').source}`),
    door: 'lib/storage.ts',
    isDoor: ({ inside }) => inside === 'lib/storage.ts',
  },
  {
    what: 'SQL',
    houses: ['api'],
    imports: /^kysely($|\/)/,
    door: 'a store, db/, and context.ts that holds the database',
    isDoor: ({ role, room, inside }) =>
      role === 'store' || room === 'db' || inside === 'context.ts',
  },
  {
    what: 'a database',
    houses: ['api'],
    imports: /^(better-sqlite3|pg|node:sqlite)$/,
    door: 'db/',
    isDoor: ({ room }) => room === 'db',
  },
  {
    what: 'the link to a host',
    houses: ['api'],
    imports: /^ws$/,
    door: 'hosts/',
    isDoor: ({ room }) => room === 'hosts',
  },
  {
    what: 'supervisord',
    houses: ['agent'],
    imports: /^fast-xml-parser$/,
    door: 'supervisor/',
    isDoor: ({ room }) => room === 'supervisor',
  },
]

/** One line per fault. */
export function checkFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [...doorFaults(file), ...nameFaults(file), ...sizeFaults(file)])
}

function doorFaults(file: SourceFile): string[] {
  const place = placeOf(file.path)
  if (place.isTest) return []
  const code = blankOut(file.text, 'comments and strings')
  const imports = importsOf(file.text)
  return DOORS.filter((door) => door.houses.includes(place.house) && !door.isDoor(place))
    .filter((door) => {
      const seen = door.code?.test(code) === true
      return seen || imports.some((name) => door.imports?.test(name) === true)
    })
    .map((door) => `${file.path} uses ${door.what}; its only door is ${door.door}`)
}

function nameFaults({ path, text }: SourceFile): string[] {
  const faults: string[] = []
  const name = path.split('/').at(-1) ?? ''
  if (EMPTY_NAMES.test(name)) faults.push(`${path}: the name ${name} says nothing; name the noun`)
  if (/\bexport\s*\*\s*from\b/.test(blankOut(text, 'comments and strings'))) {
    faults.push(`${path}: export * makes a barrel; import from the file itself`)
  }
  return faults
}

function sizeFaults({ path, text }: SourceFile): string[] {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > MAX_LINES ? [`${path}: ${lines} lines, more than ${MAX_LINES}`] : []
}

/** One line per fault; pass the paths of all files, styles and tests too. */
export function checkFolders(paths: readonly string[]): string[] {
  const folders = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf('/')))
  return [...folders]
    .filter(([, files]) => files.length > MAX_FILES_OF_FOLDER)
    .map(([folder, files]) => `${folder}: ${files.length} files, more than ${MAX_FILES_OF_FOLDER}`)
}
