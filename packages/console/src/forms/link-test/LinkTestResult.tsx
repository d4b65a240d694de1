/** A test that runs, and what it found in the end. */
import { useQuery } from '@tanstack/react-query'
import type {
  LinkTest,
  StartedLinkTest,
  TestedDirection,
} from '@trunkline/contract/link-tests/link-test.calls'
import { sentenceFor } from '../../lib/api-error.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { cancelTest } from './link-test.actions.ts'
import * as text from './link-test.messages.ts'
import { isGone, isOver, linkTestQuery } from './link-test.queries.ts'
import classes from './LinkTestDialog.module.css'

interface LinkTestResultProps {
  test: StartedLinkTest
  titles: { from: string; to: string }
  /** Back to the settings. */
  onAgain: () => void
  onClose: () => void
}

export function LinkTestResult({ test, titles, onAgain, onClose }: LinkTestResultProps) {
  const { data, error } = useQuery(linkTestQuery(test))
  const isRunning = !isOver(data) && !isGone(error)
  const close = () => {
    if (isRunning) void cancelTest(test)
    onClose()
  }
  return (
    <Dialog
      title={text.TITLE}
      subtitle={text.addressText(test.address, test.port)}
      width={720}
      isOpen
      onClose={close}
      footer={
        <>
          <Button size={36} onClick={close}>
            {isRunning ? 'Cancel test' : 'Done'}
          </Button>
          {!isRunning && (
            <Button size={36} tone="primary" onClick={onAgain}>
              Test again…
            </Button>
          )}
        </>
      }
    >
      <div className={classes.result}>
        <Progress test={test} now={data} />
        {error !== null && (
          <Band family="bad" shape="octagon">
            {sentenceFor(error, text.READ_FAILED)}
          </Band>
        )}
        {data?.findings.map((sentence) => (
          <Band
            key={sentence}
            family={data.state === 'failed' ? 'bad' : 'warn'}
            shape={data.state === 'failed' ? 'octagon' : 'triangle'}
          >
            {sentence}
          </Band>
        ))}
        <div className={classes.directions}>
          <Direction from={titles.from} to={titles.to} direction={data?.out} isOver={!isRunning} />
          <Direction from={titles.to} to={titles.from} direction={data?.back} isOver={!isRunning} />
        </div>
        <p className={classes.note}>{isRunning ? text.ENDS_HINT : text.WHERE_TO_SET}</p>
      </div>
    </Dialog>
  )
}

function Progress({ test, now }: { test: StartedLinkTest; now: LinkTest | undefined }) {
  return (
    <div className={classes.progress}>
      <span role="status">{text.stateText(now, test.durationS)}</span>
      <progress
        aria-label="Progress of the test"
        max={test.durationS * 1000}
        value={now?.elapsedMs ?? 0}
      />
    </div>
  )
}

interface DirectionProps {
  from: string
  to: string
  direction: TestedDirection | null | undefined
  isOver: boolean
}

function Direction({ from, to, direction, isOver }: DirectionProps) {
  const title = text.directionText(from, to)
  return (
    <section className={classes.direction} aria-label={title}>
      <h3>{title}</h3>
      {direction === null || direction === undefined ? (
        <p className={classes.note}>{isOver ? text.NOT_TESTED : text.NOT_BEGUN}</p>
      ) : (
        <Measured direction={direction} isOver={isOver} />
      )}
    </section>
  )
}

function Measured({ direction, isOver }: { direction: TestedDirection; isOver: boolean }) {
  const isUnfinished = isOver && direction.needed === null && direction.receivedPackets > 0
  const rule = text.ruleText(direction)
  return (
    <>
      <p className={classes.headline}>
        <Shape {...text.directionView(direction, isOver)} size={12} />
        {isUnfinished ? text.NOT_FINISHED : text.headlineText(direction)}
      </p>
      <dl>
        {text.factsOf(direction).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {rule !== '' && <p className={classes.note}>{rule}</p>}
    </>
  )
}
