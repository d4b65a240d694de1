/** The signal path in the detail of an object. */
import { Link } from '@tanstack/react-router'
import { OldAnswer } from '../shared/page/OldAnswer.tsx'
import { Skeleton } from '../ui/notice/Skeleton.tsx'
import { PATH, PATH_FAILED } from './path.messages.ts'
import type { PathObject } from './path.queries.ts'
import { PathFailure } from './PathFailure.tsx'
import { useSignalPath } from './signal-path.hook.ts'
import classes from './SignalPath.module.css'
import { SignalPathView } from './SignalPathView.tsx'

export function SignalPathSection({ object }: { object: PathObject }) {
  const { path, failure, retry, answer } = useSignalPath(object)
  const { kind, id } = object
  return (
    <section className={classes.section} aria-label={PATH}>
      <div className={classes.head}>
        <h3>{PATH}</h3>
        <Link to="/dashboard/path/$kind/$id" params={{ kind, id }} preload={false}>
          On a page of its own
        </Link>
      </div>
      <OldAnswer answer={answer} failedText={PATH_FAILED} />
      {path !== null && <SignalPathView path={path} layout="column" />}
      {failure !== null && <PathFailure failure={failure} retry={retry} />}
      {path === null && failure === null && <Skeleton kind="row" count={2} height={64} />}
    </section>
  )
}
