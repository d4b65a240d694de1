/** Every setting of the API, and the only place that reads the environment. */
import { isIP } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { BusNetwork } from '@trunkline/contract/agent/bus-network.schema'
import { LinkAddress, MAX_LINK_ADDRESSES } from '@trunkline/contract/enrolment/enrolment.schema'
import { Email } from '@trunkline/contract/text.schema'
import { z } from 'zod'
import { readBackupTimes, type TimeOfDay } from './backup/backup-times.rules.ts'
import { readPortRanges, type PortRange } from './security/host-port.rules.ts'
import {
  OIDC_SETTINGS,
  oidcConfigOf,
  oidcFaults,
  type OidcConfig,
} from './security/oidc-settings.ts'

export interface Config {
  /** 0 takes any free port. */
  readonly port: number
  readonly listenIp: string
  readonly dataDir: string
  /** Null: SQLite in the data folder. */
  readonly databaseUrl: string | null
  readonly secretFile: string
  /** 'ip:port' at which the other API processes of the same PostgreSQL reach this one; null: chosen. */
  readonly processAddress: string | null
  /** Where hosts that cannot be dialled connect to this process; null: nowhere. */
  readonly agentListen: { readonly ip: string; readonly port: number } | null
  /** 'name:port' at which such hosts reach it; none: the name of the console that they know, and that port. */
  readonly agentAddresses: readonly string[]
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  /** The first superadmin, made on an empty database only. */
  readonly firstAdmin: { readonly email: string; readonly password: string } | null
  /** Whether hosts on loopback and private addresses may be managed. */
  readonly allowLocalHosts: boolean
  /** Ports of hosts that are dialled; null: all but those known to be another service's. */
  readonly hostPorts: readonly PortRange[] | null
  /** '239.141': the /16 that inputs are given their multicast groups from; null draws one. */
  readonly busNetwork: string | null
  /** Folder of the built console. */
  readonly consoleDir: string
  /** Tries to sign in per account and address in a minute. */
  readonly signInLimit: number
  /** Connections that may be open at once, in all. */
  readonly connectionLimit: number
  /** Of one person in a second, after a burst. */
  readonly callLimit: number
  /** Most memory for answers of lists that are kept until something changes; 0 keeps none. */
  readonly answerCacheMegabytes: number
  /** From one address that is no trusted proxy, or one /64. */
  readonly addressConnectionLimit: number
  /** A session ends so long after its sign-in, however much it is used. */
  readonly sessionDays: number
  /** Of the console, as browsers have it, without a slash at its end; null: as the request has it. */
  readonly publicUrl: string | null
  /** Null: people sign in by password alone. */
  readonly oidc: OidcConfig | null
  /** How long the record of activity is kept; null for ever. */
  readonly auditDays: number | null
  readonly backupDir: string
  /** When a backup is made each day, by this machine's clock; none: never. */
  readonly backupTimes: readonly TimeOfDay[]
  /** How many of those backups are kept. */
  readonly backupsKept: number
  readonly logLevel: string
  /** In tests: lists are also parsed by their contract, which answers the same. */
  readonly checksAnswers: boolean
}

/** Its message is ready to be printed: one line per fault. */
export class ConfigFault extends Error {}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const port = 'must be a port: 0 (any free one) or a number up to 65535.'
const Settings = z.strictObject({
  TRUNKLINE_PORT: digits(0, 65_535, port).default(8080),
  TRUNKLINE_LISTEN_IP: z
    .string()
    .refine(
      (text) => isIP(text) !== 0,
      'must be an IP address of this machine, such as 127.0.0.1 or 0.0.0.0.',
    )
    .default('127.0.0.1'),
  TRUNKLINE_DATA_DIR: z.string().default(join('.trunkline', 'data')),
  TRUNKLINE_DATABASE_URL: z
    .string()
    .regex(
      /^postgres(ql)?:\/\/./,
      'must be an address such as postgres://user:password@host:5432/database. Leave it out for SQLite.',
    )
    .optional(),
  TRUNKLINE_SECRET_FILE: z.string().optional(),
  TRUNKLINE_PROCESS_ADDRESS: z
    .string()
    .refine(
      isListenAddress,
      'must be an IPv4 address of this machine and a port, such as 10.0.0.5:7400.',
    )
    .optional(),
  TRUNKLINE_AGENT_LISTEN: z
    .string()
    .transform(readListenPlace)
    .refine(
      (place) => place !== null,
      'must be an IPv4 address of this machine and a port, such as 0.0.0.0:7443.',
    )
    .optional(),
  TRUNKLINE_AGENT_ADDRESSES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (all) =>
        all.length <= MAX_LINK_ADDRESSES &&
        all.every((part) => !part.startsWith(':') && LinkAddress.safeParse(part).success),
      'must be names or IPv4 addresses with ports, and commas between them, such as console.example:7443.',
    )
    .default([]),
  TRUNKLINE_TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (all) => all.every(isAddressOrNetwork),
      'must be IP addresses or networks with commas between them, such as 127.0.0.1, 10.0.0.0/8.',
    )
    .default([]),
  TRUNKLINE_ADMIN_EMAIL: z
    .string()
    .refine((text) => Email.safeParse(text).success, 'must be an e-mail address.')
    .optional(),
  TRUNKLINE_ADMIN_PASSWORD: z
    .string()
    .max(1024, 'must be at most 1024 characters long.')
    .optional(),
  TRUNKLINE_ALLOW_LOCAL_HOSTS: z.enum(['0', '1'], 'must be 1 (allow) or 0 (refuse).').default('0'),
  TRUNKLINE_HOST_PORTS: z
    .string()
    .transform(readPortRanges)
    .refine(
      (ranges) => ranges !== null,
      'must be ports or ranges of ports with commas between them, such as 443, 8000-8999.',
    )
    .optional(),
  TRUNKLINE_BUS_NETWORK: BusNetwork.optional(),
  TRUNKLINE_CONSOLE_DIR: z.string().optional(),
  TRUNKLINE_SIGN_IN_LIMIT: digits(
    1,
    1_000_000,
    'must be a number of tries per minute, 1 or more.',
  ).default(10),
  TRUNKLINE_CONNECTION_LIMIT: digits(
    1,
    1_000_000,
    'must be a number of connections, 1 or more.',
  ).default(5000),
  // 200 viewers behind one address translation, each with the six connections that a browser opens.
  TRUNKLINE_PER_ADDRESS_LIMIT: digits(
    1,
    1_000_000,
    'must be a number of connections, 1 or more.',
  ).default(1500),
  TRUNKLINE_CALL_LIMIT: digits(
    1,
    1_000_000,
    'must be a number of calls per second, 1 or more.',
  ).default(200),
  TRUNKLINE_ANSWER_CACHE_MB: digits(0, 4096, 'must be a number of megabytes up to 4096.').default(
    32,
  ),
  TRUNKLINE_SESSION_DAYS: digits(1, 365, 'must be a number of days from 1 to 365.').default(7),
  ...OIDC_SETTINGS,
  TRUNKLINE_AUDIT_DAYS: digits(
    0,
    36_500,
    'must be a number of days up to 36500, or 0 to keep the record for ever.',
  ).default(400),
  TRUNKLINE_BACKUP_DIR: z.string().optional(),
  TRUNKLINE_BACKUP_TIMES: z
    .string()
    .transform(readBackupTimes)
    .refine(
      (times) => times !== null,
      "must be times of day with commas between them, such as 03:30, 15:30, or 'never'.",
    )
    .default([{ hour: 3, minute: 30 }]),
  TRUNKLINE_BACKUPS_KEPT: digits(1, 10_000, 'must be a number of backups from 1 to 10000.').default(
    14,
  ),
  TRUNKLINE_LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}.`)
    .default('info'),
})

const PREFIX = 'TRUNKLINE_'

/** Of commands that are clients of an API, here or elsewhere; the API passes them over. */
const ClientSettings = z.object({
  TRUNKLINE_URL: z
    .string('is missing. Set the address of the API, such as https://console.example.')
    .regex(/^https?:\/\/[^/]+\/?$/, 'must be an address such as https://console.example.')
    .transform((text) => text.replace(/\/$/, '')),
  TRUNKLINE_TOKEN: z
    .string('is missing. Make an API token in the console, under Access.')
    .regex(/^trk_[0-9a-f]{48}$/, 'must be an API token: trk_ and 48 characters from 0-9 a-f.'),
})

export interface ClientConfig {
  readonly url: string
  readonly token: string
}

/** Throws ConfigFault with every fault at once; the token is in none of them. */
export function clientConfig(): ClientConfig {
  const settings = ClientSettings.safeParse(process.env)
  if (!settings.success) throw new ConfigFault(schemaFaults(settings.error).join('\n'))
  return { url: settings.data.TRUNKLINE_URL, token: settings.data.TRUNKLINE_TOKEN }
}

/** A secret that a file names by its variable; null where that is not set. */
export function environmentSecret(name: string): string | null {
  return process.env[name] ?? null
}

/**
 * `env`: usually process.env. `entryFile`: the file that was started, src/main.ts or dist/main.js,
 * from which the built console is found. Throws ConfigFault with every fault at once.
 */
export function readConfig(env: NodeJS.ProcessEnv, entryFile: string): Config {
  // An empty setting is one that is not set: that is how a unit file or a shell leaves one out.
  const given = Object.entries(env).filter(
    ([name, value]) => name.startsWith(PREFIX) && value !== '' && !(name in ClientSettings.shape),
  )
  const named = Object.fromEntries(given)
  const settings = Settings.safeParse(named)
  const faults = [...schemaFaults(settings.error), ...adminFaults(named), ...oidcFaults(named)]
  if (!settings.success || faults.length > 0) throw new ConfigFault(faults.join('\n'))
  return configOf(settings.data, entryFile)
}

export function processConfig(): Config {
  return readConfig(process.env, process.argv[1] ?? '')
}

/** 'all' is none: whoever reaches the API could then write any address into its record. */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  const most = version === 4 ? 32 : 128
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most)
}

/** Of all addresses none could be named to the others. */
function isListenAddress(text: string): boolean {
  return readListenPlace(text) !== null && !text.startsWith('0.0.0.0:')
}

/** 'ip:port', IPv4; null for anything else. */
function readListenPlace(text: string): { ip: string; port: number } | null {
  const [, ip = '', port = ''] = /^([\d.]+):(\d{1,5})$/.exec(text) ?? []
  const isPlace = isIP(ip) === 4 && Number(port) > 0 && Number(port) < 65_536
  return isPlace ? { ip, port: Number(port) } : null
}

/** Whether somebody said where the data is; otherwise it is looked for below the present folder. */
export function isPlaceGiven(): boolean {
  const { TRUNKLINE_DATA_DIR: folder = '', TRUNKLINE_DATABASE_URL: address = '' } = process.env
  return folder !== '' || address !== ''
}

function configOf(settings: z.output<typeof Settings>, entryFile: string): Config {
  const dataDir = resolve(settings.TRUNKLINE_DATA_DIR)
  const email = settings.TRUNKLINE_ADMIN_EMAIL
  const password = settings.TRUNKLINE_ADMIN_PASSWORD
  return {
    port: settings.TRUNKLINE_PORT,
    listenIp: settings.TRUNKLINE_LISTEN_IP,
    dataDir,
    databaseUrl: settings.TRUNKLINE_DATABASE_URL ?? null,
    // Beside the folder, not in it: a copy of the data opens nothing (decisions.md 25).
    secretFile: resolve(
      settings.TRUNKLINE_SECRET_FILE ?? join(dirname(dataDir), `${basename(dataDir)}.key`),
    ),
    processAddress: settings.TRUNKLINE_PROCESS_ADDRESS ?? null,
    agentListen: settings.TRUNKLINE_AGENT_LISTEN ?? null,
    agentAddresses: settings.TRUNKLINE_AGENT_ADDRESSES,
    trustedProxies: settings.TRUNKLINE_TRUSTED_PROXIES,
    firstAdmin:
      email === undefined || password === undefined
        ? null
        : { email: Email.parse(email), password },
    allowLocalHosts: settings.TRUNKLINE_ALLOW_LOCAL_HOSTS === '1',
    hostPorts: settings.TRUNKLINE_HOST_PORTS ?? null,
    busNetwork: settings.TRUNKLINE_BUS_NETWORK ?? null,
    consoleDir: resolve(
      settings.TRUNKLINE_CONSOLE_DIR ?? join(dirname(entryFile), '..', '..', 'console', 'dist'),
    ),
    signInLimit: settings.TRUNKLINE_SIGN_IN_LIMIT,
    connectionLimit: settings.TRUNKLINE_CONNECTION_LIMIT,
    callLimit: settings.TRUNKLINE_CALL_LIMIT,
    answerCacheMegabytes: settings.TRUNKLINE_ANSWER_CACHE_MB,
    addressConnectionLimit: settings.TRUNKLINE_PER_ADDRESS_LIMIT,
    sessionDays: settings.TRUNKLINE_SESSION_DAYS,
    publicUrl: settings.TRUNKLINE_PUBLIC_URL ?? null,
    oidc: oidcConfigOf(settings),
    auditDays: settings.TRUNKLINE_AUDIT_DAYS === 0 ? null : settings.TRUNKLINE_AUDIT_DAYS,
    backupDir: resolve(
      settings.TRUNKLINE_BACKUP_DIR ?? join(dirname(dataDir), `${basename(dataDir)}-backups`),
    ),
    backupTimes: settings.TRUNKLINE_BACKUP_TIMES,
    backupsKept: settings.TRUNKLINE_BACKUPS_KEPT,
    logLevel: settings.TRUNKLINE_LOG_LEVEL,
    checksAnswers: false,
  }
}

function schemaFaults(error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => `There is no setting ${name}. ${nearest(name)}`)
      : [`${issue.path.join('.')} ${issue.message}`],
  )
}

function adminFaults(given: Readonly<Record<string, string | undefined>>): string[] {
  const [email, password] = ['TRUNKLINE_ADMIN_EMAIL', 'TRUNKLINE_ADMIN_PASSWORD']
  if ((given[email] === undefined) === (given[password] === undefined)) return []
  const [there, missing] = given[email] === undefined ? [password, email] : [email, password]
  return [`${missing} is missing beside ${there}. Set both, or neither.`]
}

function nearest(name: string): string {
  const known = Object.keys(Settings.shape)
  const similar = known.find(
    (item) => item.replaceAll('_', '') === name.replaceAll('_', '').toUpperCase(),
  )
  return similar === undefined ? `Settings are ${known.join(', ')}.` : `Did you mean ${similar}?`
}

function digits(min: number, max: number, sentence: string) {
  return z
    .string()
    .regex(/^\d{1,7}$/, sentence)
    .transform(Number)
    .pipe(z.number().min(min, sentence).max(max, sentence))
}

/** For the log at start: no password, and an address without its credentials. */
export function redactedConfig(config: Config): Record<string, unknown> {
  return {
    ...config,
    databaseUrl:
      config.databaseUrl?.replace(/\/\/[^@/]*@/, '//***@').replace(/\?.*$/, '?***') ?? null,
    firstAdmin:
      config.firstAdmin === null ? null : { email: config.firstAdmin.email, password: '***' },
  }
}
