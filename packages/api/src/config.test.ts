import { expect, test } from 'vitest'
import { ConfigFault, readConfig, redactedConfig } from './config.ts'

const ENTRY = '/opt/trunkline/packages/api/dist/main.js'

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env, ENTRY)
    return []
  } catch (error) {
    return error instanceof ConfigFault ? error.message.split('\n') : [String(error)]
  }
}

test('without settings it runs on loopback, with SQLite, strictly', () => {
  expect(readConfig({ PATH: '/bin', TRUNKLINE_DATABASE_URL: '' }, ENTRY)).toMatchObject({
    port: 8080,
    listenIp: '127.0.0.1',
    databaseUrl: null,
    processAddress: null,
    agentListen: null,
    agentAddresses: [],
    trustedProxies: [],
    firstAdmin: null,
    allowLocalHosts: false,
    hostPorts: null,
    busNetwork: null,
    consoleDir: '/opt/trunkline/packages/console/dist',
    signInLimit: 10,
    connectionLimit: 5000,
    callLimit: 200,
    answerCacheMegabytes: 32,
    addressConnectionLimit: 1500,
    sessionDays: 7,
    auditDays: 400,
    logLevel: 'info',
    checksAnswers: false,
  })
})

test('decisions 25 the secret lies beside the data folder, not in it', () => {
  const config = readConfig({ TRUNKLINE_DATA_DIR: '/var/lib/trunkline' }, ENTRY)
  expect(config.secretFile).toBe('/var/lib/trunkline.key')
})

test('every setting is read', () => {
  const config = readConfig(
    {
      TRUNKLINE_PORT: '0',
      TRUNKLINE_LISTEN_IP: '0.0.0.0',
      TRUNKLINE_DATA_DIR: '/data',
      TRUNKLINE_DATABASE_URL: 'postgres://u:p@db:5432/trunkline',
      TRUNKLINE_SECRET_FILE: '/keys/secret',
      TRUNKLINE_TRUSTED_PROXIES: '127.0.0.1, 2001:db8::/32',
      TRUNKLINE_ADMIN_EMAIL: 'Root@Example.org',
      TRUNKLINE_ADMIN_PASSWORD: ' with spaces ',
      TRUNKLINE_ALLOW_LOCAL_HOSTS: '1',
      TRUNKLINE_HOST_PORTS: '443, 8000-8999',
      TRUNKLINE_BUS_NETWORK: '239.141.0.0/16',
      TRUNKLINE_CONSOLE_DIR: '/console',
      TRUNKLINE_SIGN_IN_LIMIT: '1000',
      TRUNKLINE_CONNECTION_LIMIT: '300',
      TRUNKLINE_PROCESS_ADDRESS: '10.0.0.5:7400',
      TRUNKLINE_AGENT_LISTEN: '0.0.0.0:7443',
      TRUNKLINE_AGENT_ADDRESSES: 'console.example:7443, 10.0.0.6:7444',
      TRUNKLINE_CALL_LIMIT: '50',
      TRUNKLINE_PER_ADDRESS_LIMIT: '200',
      TRUNKLINE_SESSION_DAYS: '30',
      TRUNKLINE_PUBLIC_URL: 'https://console.example/',
      TRUNKLINE_AUDIT_DAYS: '0',
      TRUNKLINE_BACKUP_DIR: '/backups',
      TRUNKLINE_BACKUP_TIMES: '03:00, 15:45',
      TRUNKLINE_BACKUPS_KEPT: '30',
      TRUNKLINE_LOG_LEVEL: 'warn',
    },
    ENTRY,
  )
  expect(config).toEqual({
    port: 0,
    listenIp: '0.0.0.0',
    dataDir: '/data',
    databaseUrl: 'postgres://u:p@db:5432/trunkline',
    secretFile: '/keys/secret',
    processAddress: '10.0.0.5:7400',
    agentListen: { ip: '0.0.0.0', port: 7443 },
    agentAddresses: ['console.example:7443', '10.0.0.6:7444'],
    trustedProxies: ['127.0.0.1', '2001:db8::/32'],
    firstAdmin: { email: 'root@example.org', password: ' with spaces ' },
    allowLocalHosts: true,
    hostPorts: [
      { first: 443, last: 443 },
      { first: 8000, last: 8999 },
    ],
    busNetwork: '239.141',
    consoleDir: '/console',
    signInLimit: 1000,
    connectionLimit: 300,
    callLimit: 50,
    answerCacheMegabytes: 32,
    addressConnectionLimit: 200,
    sessionDays: 30,
    publicUrl: 'https://console.example',
    oidc: null,
    auditDays: null,
    backupDir: '/backups',
    backupTimes: [
      { hour: 3, minute: 0 },
      { hour: 15, minute: 45 },
    ],
    backupsKept: 30,
    logLevel: 'warn',
    checksAnswers: false,
  })
})

test('every fault is named at once, each with its setting', () => {
  const faults = faultsOf({
    TRUNKLINE_PORT: '99999',
    TRUNKLINE_LISTEN_IP: 'localhost',
    TRUNKLINE_DATABASE_URL: 'mysql://x',
    TRUNKLINE_ADMIN_EMAIL: 'nobody',
    TRUNKLINE_ALLOW_LOCAL_HOSTS: 'yes',
    TRUNKLINE_HOST_PORTS: '80, 90-70',
    TRUNKLINE_SIGN_IN_LIMIT: '0',
    TRUNKLINE_CONNECTION_LIMIT: '0',
    TRUNKLINE_CALL_LIMIT: '0',
    TRUNKLINE_PER_ADDRESS_LIMIT: 'many',
    TRUNKLINE_AUDIT_DAYS: 'forever',
    TRUNKLINE_TRUSTED_PROXIES: 'all',
    TRUNKLINE_LOG_LEVEL: 'loud',
    TRUNKLINE_DATADIR: '/x',
    TRUNKLINE_COLOUR: 'blue',
  })
  for (const name of [
    'TRUNKLINE_PORT must be a port',
    'TRUNKLINE_LISTEN_IP must be an IP address',
    'TRUNKLINE_DATABASE_URL must be an address such as postgres://',
    'TRUNKLINE_ADMIN_EMAIL must be an e-mail address',
    'TRUNKLINE_ADMIN_PASSWORD is missing beside TRUNKLINE_ADMIN_EMAIL',
    'TRUNKLINE_ALLOW_LOCAL_HOSTS must be 1',
    'TRUNKLINE_HOST_PORTS must be ports',
    'TRUNKLINE_SIGN_IN_LIMIT must be a number of tries',
    'TRUNKLINE_CONNECTION_LIMIT must be a number of connections',
    'TRUNKLINE_CALL_LIMIT must be a number of calls',
    'TRUNKLINE_PER_ADDRESS_LIMIT must be a number of connections',
    'TRUNKLINE_AUDIT_DAYS must be a number of days',
    'TRUNKLINE_TRUSTED_PROXIES must be IP addresses or networks',
    'TRUNKLINE_LOG_LEVEL must be one of trace',
    'There is no setting TRUNKLINE_DATADIR. Did you mean TRUNKLINE_DATA_DIR?',
    'There is no setting TRUNKLINE_COLOUR. Settings are TRUNKLINE_PORT,',
  ]) {
    expect(faults.filter((fault) => fault.startsWith(name))).toHaveLength(1)
  }
  expect(faults).toHaveLength(16)
})

test.each(['abc', '-1', '80.5', '1e3', ' 80', '65536'])('TRUNKLINE_PORT %s is refused', (port) => {
  expect(faultsOf({ TRUNKLINE_PORT: port })).toHaveLength(1)
})

test.each(['all', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', '::1,', '2001:db8::/129', 'proxy'])(
  'TRUNKLINE_TRUSTED_PROXIES %s is refused',
  (text) => {
    expect(faultsOf({ TRUNKLINE_TRUSTED_PROXIES: text })).toHaveLength(1)
  },
)

test.each(['10.0.0.5', '0.0.0.0:7400', '10.0.0.5:0', '10.0.0.5:65536', 'api:7400', '[::1]:7400'])(
  'TRUNKLINE_PROCESS_ADDRESS %s is refused',
  (text) => {
    expect(faultsOf({ TRUNKLINE_PROCESS_ADDRESS: text })).toHaveLength(1)
  },
)

test.each([
  ['TRUNKLINE_AGENT_LISTEN', '7443'],
  ['TRUNKLINE_AGENT_LISTEN', 'console.example:7443'],
  ['TRUNKLINE_AGENT_LISTEN', '0.0.0.0:0'],
  ['TRUNKLINE_AGENT_ADDRESSES', 'console.example'],
  ['TRUNKLINE_AGENT_ADDRESSES', ':7443'],
  ['TRUNKLINE_AGENT_ADDRESSES', 'https://console.example:7443'],
])('%s %s is refused', (name, text) => {
  expect(faultsOf({ [name]: text })).toHaveLength(1)
})

test('T10 what is logged at start holds no password', () => {
  const config = readConfig(
    {
      TRUNKLINE_DATABASE_URL: 'postgres://user:hunter2@db:5432/trunkline?password=hunter2',
      TRUNKLINE_ADMIN_EMAIL: 'root@example.org',
      TRUNKLINE_ADMIN_PASSWORD: 'hunter2',
    },
    ENTRY,
  )
  const text = JSON.stringify(redactedConfig(config))
  expect(text).not.toContain('hunter2')
  expect(text).toContain('db:5432/trunkline')
})
