/**
 * Who may import whom: section 3 of the architecture as one function per rule. Pure, so that each
 * rule is shown to fail on a planted fault.
 */
import { FEATURES, placeOf, resolveImport, type Place } from './place.ts'
import { importsOf, type SourceFile } from './source.ts'

interface Import {
  readonly from: Place
  readonly to: Place
  /** As written. */
  readonly specifier: string
  /** As resolved: a path in the repository, or the name of a package. */
  readonly target: string
}

/** What is wrong with an import, in words; undefined when this rule has nothing against it. */
type Rule = (imported: Import) => string | undefined

const RULES: readonly Rule[] = [
  acrossPackages,
  contractAlone,
  testsOnly,
  noBarrel,
  consoleLayers,
  apiRooms,
  apiFeatures,
  agentRooms,
  streamParts,
]

/** One line per fault: 'packages/api/src/x.ts imports y: why not'. */
export function checkImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    importsOf(file.text).flatMap((specifier) => {
      const target = resolveImport(file.path, specifier)
      const imported = { from: placeOf(file.path), to: placeOf(target), specifier, target }
      const why = RULES.map((rule) => rule(imported)).find((fault) => fault !== undefined)
      return why === undefined ? [] : [`${file.path} imports ${specifier}: ${why}`]
    }),
  )
}

const PROCESSES = ['console', 'api', 'agent', 'testbed']

/** Rule 1: across packages only the contract; testbed, e2e, bench and tools may import all. */
function acrossPackages({ from, to, target, specifier }: Import): string | undefined {
  if (!['contract', ...PROCESSES].includes(from.house) || !target.startsWith('packages/')) return
  if (to.house === from.house) return
  if (specifier.startsWith('.')) return 'another package is named @trunkline/..., not by its path'
  if (from.house === 'testbed') return
  if (to.house !== 'contract') return `${from.house} and ${to.house} meet in the contract only`
  if (from.house === 'console' && to.room === 'agent') {
    return 'what the API says to hosts is not for the console'
  }
  return
}

/** Rule 1: contract imports zod and itself; its tests may use the test programs too. */
function contractAlone({ from, target }: Import): string | undefined {
  if (from.house !== 'contract' || target.startsWith('packages/contract/')) return
  const allowed = from.isTest ? ['zod', 'vitest', 'fast-check'] : ['zod']
  return allowed.includes(target) ? undefined : 'contract imports zod and itself only'
}

/** What is made for tests is no part of the product; benches and browser tests are none either. */
function testsOnly({ from, to, target }: Import): string | undefined {
  const isOutside = from.house === 'bench' || from.house === 'e2e'
  if (!target.startsWith('packages/') || from.isTest || isOutside || !to.isTest) return
  return 'only tests and benches use what is made for tests'
}

/** Rule 6: no barrels. */
function noBarrel({ specifier, target }: Import): string | undefined {
  if (/^@trunkline\/[^/]+$/.test(specifier)) return 'name the file, not the package'
  return /\/index\.tsx?$/.test(target) ? 'name the file, there are no barrels' : undefined
}

/** What stands on what in the console: each knows only those on a lower level. */
const CONSOLE_LEVELS = [
  ['ui'],
  ['shared'],
  ['programs', 'forms', 'paths'],
  ['feature'],
  ['wall'],
  ['app'],
]
const CONSOLE_ROOMS = ['lib', ...CONSOLE_LEVELS.flat()]

/** Rule 2: app -> wall -> features -> programs, forms, paths -> shared -> ui, lib by all, no feature another. */
function consoleLayers({ from, to }: Import): string | undefined {
  if (from.house !== 'console' || to.house !== 'console' || from.isTest) return
  const layer = ({ room }: Place) => {
    if (room === '') return 'app'
    // The wall shows channels and encoders side by side: a page made of features.
    return CONSOLE_ROOMS.includes(room) ? room : 'feature'
  }
  const [fromLayer, toLayer] = [layer(from), layer(to)]
  if (toLayer === 'lib') return
  if (fromLayer === 'lib') return 'lib knows no screen'
  if (fromLayer === 'feature' && toLayer === 'feature') {
    return from.room === to.room ? undefined : 'a feature never imports a feature'
  }
  if (fromLayer === toLayer) return
  const levelOf = (name: string) => CONSOLE_LEVELS.findIndex((names) => names.includes(name))
  if (levelOf(toLayer) === levelOf(fromLayer))
    return 'programs, forms and paths do not know each other'
  return levelOf(toLayer) > levelOf(fromLayer)
    ? 'app imports the wall, the wall features, features programs, forms and paths, those shared, shared ui; never back'
    : undefined
}

/** Which roles a role may import inside its feature. */
const MAY_USE: Record<string, readonly string[]> = {
  routes: ['service'],
  service: ['service', 'policy', 'store', 'rules'],
  policy: ['policy', 'rules'],
  store: ['store', 'rules'],
  rules: ['rules'],
}
const LAYERED = Object.keys(MAY_USE)
/** These put the process together, so they may reach into every room but routes. */
const ASSEMBLY = ['main.ts', 'app.ts', 'context.ts']

/** Rule 3: routes -> service -> { policy, store, rules }; routes, db and hosts have few users. */
function apiRooms({ from, to }: Import): string | undefined {
  if (from.house !== 'api' || to.house !== 'api' || from.isTest) return
  if (to.role === 'routes' && from.inside !== 'app.ts') return 'only app.ts imports routes'
  // A command opens what it works on itself.
  const assembles = ASSEMBLY.includes(from.inside) || from.room === 'command-line'
  if (to.room === 'db' && from.room !== 'db' && from.role !== 'store' && !assembles) {
    return 'only a store imports db'
  }
  const rooms = ['hosts', 'programs']
  const usesHosts = [...rooms, 'fleet'].includes(from.room) || from.role === 'service' || assembles
  // A media server is a host too, spoken to in its own way: its faults have the same words.
  const sharesWords = from.room === 'stream-servers' && to.inside === 'hosts/link-fault.ts'
  if (rooms.includes(to.room) && !usesHosts && !sharesWords) {
    return 'only services and fleet use hosts and programs'
  }
  if (from.room === 'hosts' && to.room === 'programs') return 'hosts do not know programs'
  const isLayered = LAYERED.includes(from.role) && LAYERED.includes(to.role)
  return isLayered && !MAY_USE[from.role]?.includes(to.role)
    ? `a ${from.role} does not import a ${to.role}`
    : undefined
}

/** Rule 4: between features a service uses another feature's service, and only leftwards. */
function apiFeatures({ from, to }: Import): string | undefined {
  if (from.house !== 'api' || to.house !== 'api' || from.isTest || from.room === to.room) return
  const [left, right] = [FEATURES.indexOf(to.room), FEATURES.indexOf(from.room)]
  if (left === -1 || right === -1) return
  // A file without a role, such as session-memory.ts, is a part of its feature's service.
  const fromService = from.role === 'service' || !LAYERED.includes(from.role)
  if (!fromService || to.role !== 'service') return 'between features only services meet'
  return left > right ? `${from.room} stands left of ${to.room} and may not know it` : undefined
}

const AGENT_LOWER = ['commands', 'supervisor', 'logs', 'stats', 'host']

/** They decide from data alone: only the contract, and each other inside their room. */
function isPure({ room, inside }: Place): boolean {
  return room === 'commands' || ['logs/peer-state.ts', 'logs/start-mark.ts'].includes(inside)
}

/** Rule 5: link -> programs -> the rest; commands and logs/peer-state import only the contract. */
function agentRooms({ from, to, target }: Import): string | undefined {
  if (from.house !== 'agent' || from.isTest) return
  if (isPure(from)) {
    const own = to.house === 'agent' && to.room === from.room && isPure(to)
    return own || to.house === 'contract' ? undefined : 'it is pure: it imports only the contract'
  }
  if (to.house !== 'agent' || !target.startsWith('packages/')) return
  if (from.room === 'programs' && to.room === 'link') return 'programs do not know who asks'
  if (AGENT_LOWER.includes(from.room) && ['link', 'programs'].includes(to.room)) {
    return `${from.room} does not know ${to.room}`
  }
  return
}

/** Folders of agent/streams; '' is its own level, with the service. Each knows only those left of it. */
const STREAM_PARTS = ['definition', 'programs', 'timeline', 'health', 'answers', '', 'api']

/** Rule 5: inside the channel server. */
function streamParts({ from, to }: Import): string | undefined {
  const rooms = [from, to].map(({ house, room }) => `${house}/${room}`)
  if (from.isTest || rooms.some((room) => room !== 'agent/streams')) return
  const [left, right] = [to, from].map(({ inside }) => STREAM_PARTS.indexOf(partOf(inside)))
  return (left ?? 0) > (right ?? 0)
    ? `inside streams the order is ${STREAM_PARTS.map((part) => part || 'the service').join(', ')}`
    : undefined
}

/** 'timeline' of 'streams/timeline/timeline.ts', '' of 'streams/stream.service.ts'. */
function partOf(inside: string): string {
  return inside.split('/').slice(1, -1).join('/')
}
