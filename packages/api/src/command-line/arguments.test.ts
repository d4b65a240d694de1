import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { HELP, readCommand } from './arguments.ts'

test('a superadmin from the address only', () => {
  expect(readCommand(['user', 'add', '--email', ' Jo.Lee@Example.org '])).toEqual({
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
  expect(readCommand(['user', 'add', '--email=jo@example.org', ...names, ...more])).toEqual({
    kind: 'add',
    user: { email: 'jo@example.org', role: 'editor', firstName: 'Jo', lastName: 'Lee' },
    passwordFrom: 'stdin',
  })
})

test.each([
  [['user', 'reset-password', 'jo@example.org', '--generate']],
  [['user', 'reset-password', '--email', 'JO@example.org', '--generate']],
])('a new password: %j', (args) => {
  expect(readCommand(args)).toEqual({
    kind: 'reset',
    email: 'jo@example.org',
    passwordFrom: 'random',
  })
})

test.each([[['--help']], [['-h']], [['user', 'add', '--help']]])('help: %j', (args) => {
  expect(readCommand(args)).toEqual({ kind: 'help' })
})

test.each<[string[], RegExp]>([
  [[], /^Name a command\.$/],
  [['user'], /^There is no command 'user'\.$/],
  [['user', 'remove', 'x'], /^There is no command 'user remove'\.$/],
  [['user', 'add'], /^--email is missing\. Name the address\.$/],
  [['user', 'add', '--email', 'jo'], /^'jo' is not an e-mail address\.$/],
  [
    ['user', 'add', '--email', 'jo@example.org', '--role', 'root'],
    /^There is no role 'root'\. Roles are superadmin, admin, manager, editor, monitor\.$/,
  ],
  [
    ['user', 'add', '--email', 'jo@example.org', '--first-name', ' '],
    /^--first-name must not be empty/,
  ],
  [['user', 'add', '--email', 'jo@example.org', 'hunter2'], /A password is never an argument/],
  [['user', 'reset-password'], /^Name the user: reset-password <address>\.$/],
  [['user', 'reset-password', 'jo@example.org', 'hunter2'], /A password is never an argument/],
  [
    ['user', 'reset-password', 'jo@example.org', '--role', 'admin'],
    /the password and nothing else/,
  ],
  [['user', 'add', '--generate', '--password-stdin'], /not both/],
  [['user', 'add', '--password=hunter2'], /^There is no option '--password'\.$/],
  [['user', 'add', '--generate=hunter2'], /^--generate is not used like that\.$/],
  [['user', 'add', '--email'], /^--email is not used like that\.$/],
])('%j is refused with a message that contains no possible password', (args, sentence) => {
  let message = ''
  try {
    readCommand(args)
  } catch (error) {
    message = error instanceof Error ? error.message : ''
  }
  expect(message).toMatch(sentence)
  expect(message).not.toContain('hunter2')
})

test('the help names every role and every way to a password', () => {
  for (const word of [...ROLES, '--password-stdin', '--generate', 'reset-password']) {
    expect(HELP).toContain(word)
  }
})
