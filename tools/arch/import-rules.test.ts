import { expect, test } from 'vitest'
import { checkImports } from './import-rules.ts'

function faultsOf(path: string, ...specifiers: string[]): string[] {
  const text = specifiers.map((specifier) => `import { x } from '${specifier}'`).join('\n')
  return checkImports([{ path: `packages/${path}`, text }])
}

/** Each row: a file, what it may import, and what it may not. */
const ROWS: [rule: string, path: string, allowed: string[], refused: string[]][] = [
  [
    '1 contract imports zod and itself',
    'contract/src/encoders/encoder.calls.ts',
    ['zod', '../route.ts', './encoder.schema.ts'],
    ['node:fs', 'fastify', '@trunkline/api/app', '@trunkline/agent/main', 'vitest'],
  ],
  ['1 tests of contract use the test programs', 'contract/src/roles.test.ts', ['vitest'], ['pg']],
  [
    '1 the console imports the contract only, and not the messages for hosts',
    'console/src/encoders/encoder.queries.ts',
    ['@trunkline/contract/encoders/encoder.calls', 'react'],
    ['@trunkline/api/app', '@trunkline/contract/agent/program.messages', '../../../api/src/app.ts'],
  ],
  [
    '1 api does not know the agent',
    'api/src/hosts/host-link.ts',
    ['@trunkline/contract/agent/program.messages', 'ws', './link.ts'],
    ['@trunkline/agent/link/endpoint', '@trunkline/console/main', '@trunkline/testbed/site'],
  ],
  [
    '1 agent does not know the api',
    'agent/src/link/endpoint.ts',
    ['@trunkline/contract/roles'],
    ['@trunkline/api/app'],
  ],
  [
    '1 testbed may import all',
    'testbed/src/site.ts',
    ['@trunkline/agent/main', '@trunkline/api/app', '@trunkline/contract/roles'],
    ['../../api/src/app.ts'],
  ],
  [
    '2 a feature of the console',
    'console/src/encoders/EncoderCard.tsx',
    [
      './encoder.queries.ts',
      '../programs/log/LogDialog.tsx',
      '../forms/FormDialog.tsx',
      '../shared/StateChip.tsx',
      '../ui/Panel.tsx',
      '../lib/call.ts',
    ],
    ['../channels/Player.tsx', '../app/paths.ts', '../main.tsx'],
  ],
  [
    '2 a folder inside a feature is the same feature',
    'console/src/encoders/config/VideoTab.tsx',
    ['../encoder.queries.ts', '../../ui/Panel.tsx'],
    ['../../session/session.queries.ts'],
  ],
  [
    '2 the wall is made of features',
    'console/src/wall/ChannelTile.tsx',
    ['../channels/player.ts', '../encoders/picture.rules.ts', '../shared/StateChip.tsx'],
    ['../app/paths.ts', '../main.tsx'],
  ],
  [
    '2 a feature knows no wall',
    'console/src/channels/ChannelsPage.tsx',
    ['./ChannelRow.tsx'],
    ['../wall/WallPage.tsx'],
  ],
  [
    '2 forms',
    'console/src/forms/FormPage.tsx',
    ['./form.hook.ts', '../shared/Section.tsx', '../ui/Panel.tsx', '../lib/call.ts'],
    [
      '../programs/log/LogDialog.tsx',
      '../encoders/EncoderCard.tsx',
      '../wall/WallPage.tsx',
      '../app/Shell.tsx',
    ],
  ],
  [
    '2 programs',
    'console/src/programs/log/LogDialog.tsx',
    [
      './LogViewer.tsx',
      '../command/command.rules.ts',
      '../../shared/format.ts',
      '../../ui/Panel.tsx',
    ],
    [
      '../../forms/FormDialog.tsx',
      '../../encoders/EncoderCard.tsx',
      '../../wall/WallPage.tsx',
      '../../app/Shell.tsx',
    ],
  ],
  [
    '2 shared',
    'console/src/shared/StateChip.tsx',
    ['../ui/Panel.tsx', '../lib/live.ts', './Section.tsx'],
    [
      '../programs/log/LogDialog.tsx',
      '../forms/FormDialog.tsx',
      '../encoders/EncoderCard.tsx',
      '../app/Shell.tsx',
    ],
  ],
  [
    '2 ui',
    'console/src/ui/Panel.tsx',
    ['./theme.ts', '../lib/storage.ts'],
    ['../shared/StateChip.tsx', '../users/UserPage.tsx'],
  ],
  ['2 lib', 'console/src/lib/call.ts', ['./toast.ts'], ['../ui/Panel.tsx', '../app/paths.ts']],
  [
    '2 app',
    'console/src/app/router.tsx',
    ['../encoders/EncoderDashboardPage.tsx', '../ui/theme.ts', './paths.ts'],
    ['@trunkline/contract/agent/program.messages'],
  ],
  [
    '3 routes',
    'api/src/encoders/encoder.routes.ts',
    ['./encoder.service.ts', '../http/mount.ts', '../context.ts'],
    ['./encoder.store.ts', './encoder.policy.ts', '../channels/channel.routes.ts', '../db/open.ts'],
  ],
  [
    '3 services',
    'api/src/encoders/encoder.service.ts',
    ['./encoder.store.ts', './encoder.policy.ts', './feeder.service.ts', '../hosts/host-link.ts'],
    ['./encoder.routes.ts', '../db/open.ts'],
  ],
  [
    '3 policies',
    'api/src/encoders/encoder.policy.ts',
    ['@trunkline/contract/roles'],
    ['./encoder.store.ts', './encoder.service.ts', '../hosts/host-link.ts'],
  ],
  [
    '3 stores',
    'api/src/encoders/encoder.store.ts',
    ['../db/schema.ts', './feeder.store.ts'],
    ['./encoder.service.ts', './encoder.policy.ts', '../hosts/host-link.ts'],
  ],
  ['3 only app.ts imports routes', 'api/src/app.ts', ['./encoders/encoder.routes.ts'], []],
  [
    '3 not even main imports routes',
    'api/src/main.ts',
    ['./app.ts', './context.ts'],
    ['./encoders/encoder.routes.ts'],
  ],
  [
    '3 a command opens the database itself',
    'api/src/command-line/backup.command.ts',
    ['../db/open.ts', './command.ts'],
    ['../encoders/encoder.routes.ts'],
  ],
  [
    '3 fleet uses hosts and programs',
    'api/src/fleet/board.ts',
    ['../hosts/host-link.ts', '../programs/wanted-program.ts'],
    ['../db/open.ts'],
  ],
  [
    '3 media servers share the words for faults with hosts, nothing else',
    'api/src/stream-servers/flussonic.client.ts',
    ['../hosts/link-fault.ts'],
    ['../hosts/host-link.ts'],
  ],
  [
    '3 programs use the links to hosts, which know none of them',
    'api/src/hosts/hosts.ts',
    ['./host-link.ts'],
    ['../programs/wanted-program.ts'],
  ],
  ['3 audit has a store for its rows', 'api/src/audit/audit.store.ts', ['../db/schema.ts'], []],
  [
    '4 a service uses services to its left',
    'api/src/channels/channel.service.ts',
    ['../encoders/encoder.service.ts', '../users/user.service.ts'],
    [
      '../links/inputs/input.service.ts',
      '../encoders/encoder.store.ts',
      '../servers/server.policy.ts',
    ],
  ],
  [
    '4 a part of a service does as the service',
    'api/src/session/session-memory.ts',
    ['../users/user.service.ts'],
    ['../users/user.store.ts', '../groups/group.service.ts'],
  ],
  [
    '4 nothing but a service crosses features',
    'api/src/channels/channel.store.ts',
    [],
    ['../encoders/encoder.service.ts', '../encoders/encoder.store.ts'],
  ],
  [
    '5 commands are pure',
    'agent/src/commands/srt.command.ts',
    ['@trunkline/contract/contributions/link.schema', './unit.ts'],
    ['node:fs', '../host/adapters.ts', '../logs/start-mark.ts', '../config.ts', 'zod'],
  ],
  [
    '5 peer-state is pure',
    'agent/src/logs/peer-state.ts',
    ['@trunkline/contract/fleet/reading.schema', './start-mark.ts'],
    ['./tail.ts', 'node:fs'],
  ],
  [
    '5 programs',
    'agent/src/programs/program.service.ts',
    ['../commands/srt.command.ts', '../supervisor/supervisor.client.ts', '../logs/tail.ts'],
    ['../link/endpoint.ts'],
  ],
  [
    '5 supervisor',
    'agent/src/supervisor/program-file.ts',
    ['node:fs', '../config.ts'],
    ['../programs/program.service.ts', '../link/endpoint.ts'],
  ],
  [
    '5 parts of the channel server',
    'agent/src/streams/timeline/timelines.ts',
    ['../definition/stream.schema.ts', '../programs/stream.units.ts', '../../context.ts'],
    ['../health/stream-states.ts', '../stream.service.ts', '../api/stream.routes.ts'],
  ],
  [
    '5 the routes of the channel server stand above its service',
    'agent/src/streams/stream.service.ts',
    ['./answers/stream-answer.ts', './task-queue.ts'],
    ['./api/stream.routes.ts'],
  ],
  [
    '6 no barrels',
    'api/src/users/user.service.ts',
    ['@trunkline/contract/roles'],
    ['@trunkline/contract', '../http/index.ts'],
  ],
  [
    'test code is imported by tests only',
    'api/src/users/user.service.ts',
    [],
    ['../testing/fake-host.ts'],
  ],
]

test.each(ROWS)('rule %s', (_rule, path, allowed, refused) => {
  expect(faultsOf(path, ...allowed)).toEqual([])
  for (const specifier of refused) {
    expect(faultsOf(path, specifier), specifier).toHaveLength(1)
  }
})

test('tests may import across their package, not across packages', () => {
  const path = 'api/src/encoders/encoder.routes.test.ts'
  expect(faultsOf(path, '../app.ts', './encoder.store.ts', '../testing/fake-host.ts')).toEqual([])
  expect(faultsOf(path, '@trunkline/agent/main')).toHaveLength(1)
})

test('a fault names the file, the import and the reason', () => {
  expect(faultsOf('console/src/users/UserPage.tsx', '../groups/GroupPage.tsx')).toEqual([
    'packages/console/src/users/UserPage.tsx imports ../groups/GroupPage.tsx: a feature never imports a feature',
  ])
})
