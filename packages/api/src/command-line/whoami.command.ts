/** `trunkline whoami`. */
import { isAdminLevel } from '@trunkline/contract/roles'
import { type Caller, readCaller } from '@trunkline/contract/users/caller.calls'
import { SCOPE_NAMES } from '@trunkline/contract/users/token-scope.rules'
import { clientConfig } from '../config.ts'
import { makeApiCall } from './api.client.ts'
import { COMMAND_NAME, readArguments, UsageFault, type Command } from './command.ts'

export const whoamiCommand: Command = {
  noun: 'whoami',
  help: `  ${COMMAND_NAME} whoami [--json]
      Whose token TRUNKLINE_TOKEN is: the account with its role and groups, the title of the token, what
      it may do, and when it expires. Any token is enough.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { json: { type: 'boolean' } })
    if (positionals.length > 0) throw new UsageFault('whoami takes no name.')
    const { data } = await makeApiCall(clientConfig(), [])(readCaller, {})
    return values.json === true ? `${JSON.stringify(data, null, 2)}\n` : callerText(data)
  },
}

function callerText({ kind, fullName, email, role, groups, apiToken }: Caller): string {
  const titles = groups.map(({ title }) => title).join(', ')
  const lines = [
    [kind === 'person' ? 'Person' : 'Service', [fullName, email].filter(Boolean).join(', ')],
    ['Role', role],
    ['Groups', isAdminLevel(role) ? 'all' : titles || 'none'],
    ...(apiToken === null
      ? []
      : [
          ['Token', apiToken.title],
          ['Scope', SCOPE_NAMES[apiToken.scope]],
          ['Expires', apiToken.expiresAt],
        ]),
  ]
  return lines.map(([name = '', value = '']) => `${`${name}:`.padEnd(10)}${value}\n`).join('')
}
