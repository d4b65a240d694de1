import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { helpText } from './commands.ts'
import { readUserCommand } from './user-arguments.ts'

test('a superadmin from the address only', () => {
  expect(readUserCommand(['add', '--email', ' Jo.Lee@Example.org '])).toEqual({
    kind: 'add',
    user: {
      email: 'jo.lee@example.org',
      role: 'superadmin',
      firstName: 'jo.lee',
      lastName: 'Superadmin',
    },
    passwordFrom: 'terminal',
  })
})

test('every option of a new user', () => {
  const names = ['--first-name', 'Jo', '--last-name=Lee']
  const more = ['--role', 'Editor', '--password-stdin']
  expect(readUserCommand(['add', '--email=jo@example.org', ...names, ...more])).toEqual({
    kind: 'add',
    user: { email: 'jo@example.org', role: 'editor', firstName: 'Jo', lastName: 'Lee' },
    passwordFrom: 'stdin',
  })
})

test.each([
  [['reset-password', 'jo@example.org', '--generate']],
  [['reset-password', '--email', 'JO@example.org', '--generate']],
])('a new password: %j', (args) => {
  expect(readUserCommand(args)).toEqual({
    kind: 'reset',
    email: 'jo@example.org',
    passwordFrom: 'random',
  })
})

test.each([
  [
    ['require-second-factor', 'admin', 'Superadmin'],
    ['admin', 'superadmin'],
  ],
  [['require-second-factor', 'none'], []],
])('roles that need a second factor: %j', (args, roles) => {
  expect(readUserCommand(args)).toEqual({ kind: 'requireFactor', roles })
})

test.each<[string[], RegExp]>([
  [['require-second-factor'], /^Name the roles, or none: require-second-factor <role> ….$/],
  [['require-second-factor', 'root'], /^There is no role 'root'/],
  [
    [],
    /^Name a command after 'user': add, reset-password, reset-second-factor or require-second-factor\.$/,
  ],
  [['remove', 'x'], /^There is no command 'user remove'\. After 'user' comes add, /],
  [['add'], /^--email is missing\. Name the address\.$/],
  [['add', '--email', 'jo'], /^'jo' is not an e-mail address\.$/],
  [
    ['add', '--email', 'jo@example.org', '--role', 'root'],
    /^There is no role 'root'\. Roles are superadmin, admin, manager, editor, monitor\.$/,
  ],
  [['add', '--email', 'jo@example.org', '--first-name', ' '], /^--first-name must not be empty/],
  [['add', '--email', 'jo@example.org', 'hunter2'], /A password is never an argument/],
  [['reset-password'], /^Name the user: reset-password <address>\.$/],
  [['reset-password', 'jo@example.org', 'hunter2'], /A password is never an argument/],
  [['reset-password', 'jo@example.org', '--role', 'admin'], /the password and nothing else/],
  [['add', '--generate', '--password-stdin'], /not both/],
  [['add', '--password=hunter2'], /^There is no option '--password'\.$/],
  [['add', '--generate=hunter2'], /^--generate takes no value\.$/],
  [['add', '--email'], /^--email needs a value after it\.$/],
])('%j is refused with a message that contains no possible password', (args, sentence) => {
  let message = ''
  try {
    readUserCommand(args)
  } catch (error) {
    message = error instanceof Error ? error.message : ''
  }
  expect(message).toMatch(sentence)
  expect(message).not.toContain('hunter2')
})

test('the help names every role and every way to a password', async () => {
  const help = await helpText()
  for (const word of [...ROLES, '--password-stdin', '--generate', 'reset-password']) {
    expect(help).toContain(word)
  }
})
