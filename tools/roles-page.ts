/** The page of roles, printed from the role table: `npm run roles-page` writes it, a test compares. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { roleTable, type Reach, type RoleRow } from '@trunkline/contract/role-table'
import { ROLES } from '@trunkline/contract/roles'
import { format } from 'oxfmt'

export const ROLES_PAGE = fileURLToPath(new URL('../docs/operate/roles.md', import.meta.url))

const CELLS: Readonly<Record<Reach, string>> = {
  all: 'yes',
  notAbove: 'all but superadmins',
  group: 'own groups',
  whole: 'own groups only',
  assigned: 'assigned encoders',
  self: 'own account',
  view: 'sees, may not change',
  denied: 'shown, refused',
  never: '–',
}

const INTRODUCTION = `# Roles

This page is printed from the one table that the API and the console obey (\`packages/contract/src/role-table.ts\`);
\`npm run roles-page\` writes it anew, and a test fails when it does not agree.

- **yes**: everywhere.
- **own groups**: within the groups that the user manages or belongs to. Everything else is answered as if it were not there (404).
- **own groups only**: people all of whose groups are the user's own, counting the groups of the encoders assigned to them. Somebody who also reaches another group is listed, and the API refuses (403).
- **assigned encoders**: only encoders that the user is assigned to, whatever their group.
- **shown, refused**: the control is there and answers 'You are not authorized to perform this action!' (403).
- **sees, may not change**: the page opens read-only; the API refuses changes (403).
- **–**: no control, and the API refuses (403).

The letters are the rows of the requirements' matrix; what has none was added.
`

export async function rolesPage(): Promise<string> {
  const rows: RoleRow[] = Object.values(roleTable)
  const noted = rows.filter((row) => row.note !== '')
  const lines = [
    `| | Action | ${ROLES.join(' | ')} |`,
    `|---|---|${ROLES.map(() => '---').join('|')}|`,
    ...rows.map((row) => {
      const title = row.note === '' ? row.title : `${row.title} (${noted.indexOf(row) + 1})`
      return `| ${row.letter} | ${title} | ${ROLES.map((role) => CELLS[row.reach[role]]).join(' | ')} |`
    }),
  ]
  const notes = noted.map((row, index) => `${index + 1}. ${row.note}`)
  const page = `${INTRODUCTION}\n${lines.join('\n')}\n\n${notes.join('\n')}\n`
  // Its tables stand aligned, as the check of the format wants them.
  const { code } = await format(ROLES_PAGE, page)
  return code
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(ROLES_PAGE, await rolesPage())
