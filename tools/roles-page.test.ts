import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROLES_PAGE, rolesPage } from './roles-page.ts'

test('docs/operate/roles.md says what the role table says; npm run roles-page writes it anew', async () => {
  expect(readFileSync(ROLES_PAGE, 'utf8')).toBe(await rolesPage())
})
