/** A calm page for what a later release brings: its name, and one sentence on what it will do. */
import { PageHead } from './PageHead.tsx'
import classes from './LaterPage.module.css'

export function LaterPage({ title, sentence }: { title: string; sentence: string }) {
  return (
    <>
      <PageHead title={title} />
      <p className={classes.sentence}>{sentence}</p>
    </>
  )
}
