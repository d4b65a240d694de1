/** How the connection to a host is secured, the code by which it is enrolled, and how it is revoked. */
import type { HostEnrolment } from '@trunkline/contract/enrolment/enrolment.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { Button } from '../../ui/button/Button.tsx'
import { CopyText } from '../../ui/button/CopyText.tsx'
import { Tick } from '../../ui/choice/Checkbox.tsx'
import { Dialog, Lead } from '../../ui/dialog/Dialog.tsx'
import { ResultDialog } from '../../ui/dialog/ResultDialog.tsx'
import fieldRow from '../../ui/field/FieldRow.module.css'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { durationText } from '../format.ts'
import { QueryContent } from '../page/QueryContent.tsx'
import {
  useEnrolment,
  useEnrolmentActions,
  type EnrolledObject,
  type EnrolmentActions,
} from './enrolment.actions.ts'
import classes from './EnrolmentDialog.module.css'
import * as text from './enrolment.messages.ts'

interface EnrolmentDialogProps {
  object: EnrolledObject
  /** What can be done once the host is enrolled. */
  next?: { label: string; go: () => void } | undefined
  onClose: () => void
}

/** A role that may add an encoder without being able to enrol its host reads who can. */
export function EnrolmentDialog(props: EnrolmentDialogProps) {
  return mayDo(useRole(), 'enrolHosts') ? <Enrolment {...props} /> : <AskAdmin {...props} />
}

function AskAdmin({ object, onClose }: EnrolmentDialogProps) {
  return (
    <ResultDialog title={text.SECURE_CONNECTION} subtitle={object.title} onClose={onClose}>
      <Lead>{text.askAdmin(object.title)}</Lead>
    </ResultDialog>
  )
}

function Enrolment({ object, next, onClose }: EnrolmentDialogProps) {
  const answer = useEnrolment(object)
  const actions = useEnrolmentActions(object)
  return (
    <Dialog
      title={text.SECURE_CONNECTION}
      subtitle={object.title}
      width={720}
      isOpen
      onClose={onClose}
      footer={<Footer enrolment={answer.data} actions={actions} next={next} onClose={onClose} />}
    >
      <QueryContent
        answer={answer}
        failedText={text.READ_FAILED}
        waiting={<Skeleton kind="row" count={2} height={44} />}
      >
        {(enrolment) => <Content enrolment={enrolment} code={actions.code} />}
      </QueryContent>
    </Dialog>
  )
}

function Content({ enrolment, code }: { enrolment: HostEnrolment; code: string }) {
  const { obstacle, codeEndsInMs, openedBy, takesHosts } = enrolment
  const [dialsOut, setDialsOut] = useState(openedBy === 'host')
  if (obstacle !== '') return <p>{obstacle}</p>
  return (
    <div className={classes.content}>
      <p role="status">{text.stateText(enrolment)}</p>
      {takesHosts ? (
        <label className={fieldRow.choice}>
          <Tick checked={dialsOut} onChange={setDialsOut} />
          {text.DIALS_OUT}
        </label>
      ) : (
        <p className={classes.quiet}>{text.TAKES_NO_HOSTS}</p>
      )}
      {takesHosts && dialsOut && <p className={classes.quiet}>{text.DIALS_OUT_MEANS}</p>}
      {codeEndsInMs !== null && (
        <OpenCode code={code} remaining={durationText(codeEndsInMs)} dialsOut={dialsOut} />
      )}
      {code !== '' && codeEndsInMs === null && isNew(enrolment) && (
        <p role="status">{text.CODE_ENDED}</p>
      )}
    </div>
  )
}

interface OpenCodeProps {
  code: string
  remaining: string
  /** The host connects to the console. */
  dialsOut: boolean
}

function OpenCode({ code, remaining, dialsOut }: OpenCodeProps) {
  if (code === '') return <p>{text.openCode(remaining)}</p>
  const command = text.commandFor({ consoleAddress: window.location.origin, code, dialsOut })
  return (
    <>
      <p>{text.commandLead(remaining)}</p>
      <div className={classes.command}>
        <CopyText text={command} label="Copy command" isWhole />
      </div>
      <p className={classes.quiet}>{text.NO_CLIPBOARD}</p>
    </>
  )
}

interface FooterProps extends Pick<EnrolmentDialogProps, 'next' | 'onClose'> {
  enrolment: HostEnrolment | undefined
  actions: EnrolmentActions
}

function Footer({ enrolment, actions, next, onClose }: FooterProps) {
  const { security = 'key', codeEndsInMs = null, obstacle = '' } = enrolment ?? {}
  const canEnrol = enrolment !== undefined && obstacle === ''
  const isFirst = codeEndsInMs === null && isNew({ security })
  const busy = actions.isBusy ? '' : null
  return (
    <>
      {canEnrol && (security === 'enrolled' || security === 'waiting') && (
        <span className={classes.aside}>
          <Button
            size={36}
            tone="danger"
            disabledReason={busy}
            onClick={() => void actions.revoke()}
          >
            Revoke certificate…
          </Button>
        </span>
      )}
      <Button size={36} onClick={onClose}>
        Close
      </Button>
      {canEnrol && (
        <Button
          size={36}
          tone={isFirst ? 'primary' : 'plain'}
          disabledReason={busy}
          onClick={() => void actions.makeCode()}
        >
          {isFirst ? 'Make enrolment code' : 'Make new code'}
        </Button>
      )}
      {next !== undefined && security === 'enrolled' && (
        <Button size={36} tone="primary" onClick={next.go}>
          {next.label}
        </Button>
      )}
    </>
  )
}

/** No code was used for it, since it was revoked or at all. */
function isNew({ security }: Pick<HostEnrolment, 'security'>): boolean {
  return security === 'key' || security === 'revoked'
}
