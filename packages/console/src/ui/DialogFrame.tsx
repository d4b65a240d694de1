/** What Dialog.tsx loads with the first dialog: Mantine's modal in our look. */
import { Modal } from '@mantine/core'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import { IconButton } from './Button.tsx'
import type { DialogProps } from './Dialog.tsx'
import classes from './DialogFrame.module.css'

const FADE_MS = 160

export function DialogFrame(props: DialogProps) {
  return (
    <Modal.Root
      opened={props.isOpen}
      onClose={props.onClose}
      size={props.width}
      centered
      transitionProps={{ transition: 'fade', duration: FADE_MS }}
      classNames={{ inner: classes.inner, content: classes.content, body: classes.body }}
      zIndex={20}
    >
      <Modal.Overlay className={classes.overlay ?? ''} />
      <Modal.Content radius={12}>
        <div className={classes.header} data-width={props.width}>
          {props.lead}
          <Modal.Title className={classes.title ?? ''}>{props.title}</Modal.Title>
          {props.subtitle !== undefined && (
            <span className={classes.subtitle}>{props.subtitle}</span>
          )}
          {props.headerRight !== undefined && (
            <span className={classes.tools}>{props.headerRight}</span>
          )}
          <span className={classes.close}>
            <IconButton icon="close" label="Close" tone="quiet" size={32} onClick={props.onClose} />
          </span>
        </div>
        <Modal.Body>
          <div className={props.isFlush === true ? classes.flush : classes.padded}>
            {props.children}
          </div>
          {props.footer !== undefined && <div className={classes.footer}>{props.footer}</div>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
