import { sql, SqliteAdapter, type Kysely } from 'kysely'

/**
 * SQLite: an index of three characters each over the `search` column of a table, kept by triggers. The
 * texts have numbers of their own: those of a table's rows may change when a database is copied.
 * PostgreSQL: see prepareSearch(), as its extension may be refused, and come later.
 */
export async function indexTexts(db: Kysely<unknown>, table: string): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
  for (const statement of statementsOf(table)) await sql.raw(statement).execute(db)
}

function statementsOf(table: string): string[] {
  const [texts, index] = [`${table}_texts`, `${table}_search`]
  const forget = `insert into ${index} (${index}, rowid, search)
    select 'delete', no, search from ${texts} where id = old.id;`
  const note = `insert into ${index} (rowid, search) select no, search from ${texts} where id = new.id;`
  return [
    `create table ${texts} (no integer primary key, id text not null unique, search text not null)`,
    `create virtual table ${index} using fts5(search, content='${texts}', content_rowid='no', tokenize='trigram case_sensitive 1')`,
    `insert into ${texts} (id, search) select id, search from ${table} order by created_at, id`,
    `insert into ${index} (${index}) values ('rebuild')`,
    `create trigger ${index}_added after insert on ${table} begin
      insert into ${texts} (id, search) values (new.id, new.search);
      ${note}
    end`,
    `create trigger ${index}_changed after update of search on ${table} when old.search <> new.search begin
      ${forget}
      update ${texts} set search = new.search where id = new.id;
      ${note}
    end`,
    `create trigger ${index}_removed after delete on ${table} begin
      ${forget}
      delete from ${texts} where id = old.id;
    end`,
  ]
}
