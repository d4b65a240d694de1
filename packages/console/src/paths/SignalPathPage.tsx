/** The signal path of one object, on a page of its own. */
import { useParams } from '@tanstack/react-router'
import { PathKind } from '@trunkline/contract/paths/path.calls'
import { ButtonLink } from '../shared/page/ButtonLink.tsx'
import { OldAnswer } from '../shared/page/OldAnswer.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Redirect } from '../shared/page/Redirect.tsx'
import { Skeleton } from '../ui/notice/Skeleton.tsx'
import { ALL_PATHS, KIND_WORDS, PATH, PATH_FAILED } from './path.messages.ts'
import type { PathObject } from './path.queries.ts'
import { PathFailure } from './PathFailure.tsx'
import { useSignalPath } from './signal-path.hook.ts'
import classes from './SignalPath.module.css'
import { SignalPathView } from './SignalPathView.tsx'

export function SignalPathPage() {
  const { kind = '', id = '' } = useParams({ strict: false })
  const known = PathKind.safeParse(kind)
  return known.success ? (
    <ObjectPath key={`${kind} ${id}`} object={{ kind: known.data, id }} />
  ) : (
    <Redirect to="/" from="" />
  )
}

function ObjectPath({ object }: { object: PathObject }) {
  const { path, failure, retry, answer } = useSignalPath(object)
  const self = path?.hops.get(`${object.kind} ${object.id}`)
  const title =
    self?.isShown === true
      ? `${PATH} of ${KIND_WORDS[self.kind].toLowerCase()} ${self.title}`
      : PATH
  return (
    <>
      <PageHead
        title={title}
        tools={
          <ButtonLink to="/dashboard/path" preload={false}>
            {ALL_PATHS}
          </ButtonLink>
        }
      />
      <div className={classes.content}>
        <OldAnswer answer={answer} failedText={PATH_FAILED} />
        {path !== null && <SignalPathView path={path} layout="row" />}
        {failure !== null && <PathFailure failure={failure} retry={retry} />}
        {path === null && failure === null && <Skeleton kind="row" count={3} height={88} />}
      </div>
    </>
  )
}
