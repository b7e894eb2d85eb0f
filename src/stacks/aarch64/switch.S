/* SPDX-License-Identifier: MIT */
/*
 * Switches between stacks, AArch64 (AAPCS64). See stacks/context.hpp for what is promised.
 *
 * A flow that was left has on its stack, from its stack pointer upwards: x19 to x28, x29, x30
 * (where it goes on), d8 to d15: 160 bytes. The same for all three functions, so that any of them
 * continues what any other left. context::sp is the first member: a context's address is that of
 * the stack pointer. `struct stack` begins where its stack ends: its address is the stack pointer
 * to begin with, and 64-byte aligned.
 *
 * The end of an entry point goes on with `ret`, which the processor's stack of return addresses
 * predicts; the others with a jump. Branch target identification allows no jump to the place after
 * a call, so this file is not marked for it and a program that contains it runs without.
 */

#define SAVED_BYTES 160

    .text

.macro save_registers
    sub sp, sp, #SAVED_BYTES
    .cfi_adjust_cfa_offset SAVED_BYTES
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    saved_rules
.endm

/* Tells the unwinder where the registers of the flow at sp lie. */
.macro saved_rules
    .cfi_rel_offset x19, 0
    .cfi_rel_offset x20, 8
    .cfi_rel_offset x21, 16
    .cfi_rel_offset x22, 24
    .cfi_rel_offset x23, 32
    .cfi_rel_offset x24, 40
    .cfi_rel_offset x25, 48
    .cfi_rel_offset x26, 56
    .cfi_rel_offset x27, 64
    .cfi_rel_offset x28, 72
    .cfi_rel_offset x29, 80
    .cfi_rel_offset x30, 88
    .cfi_rel_offset d8, 96
    .cfi_rel_offset d9, 104
    .cfi_rel_offset d10, 112
    .cfi_rel_offset d11, 120
    .cfi_rel_offset d12, 128
    .cfi_rel_offset d13, 136
    .cfi_rel_offset d14, 144
    .cfi_rel_offset d15, 152
.endm

/* Loads the registers of the flow at sp; x30 is where it goes on. The unwinder's rules hold until
 * the stack pointer moves: what is on the stack is still true. */
.macro load_registers
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #SAVED_BYTES
    .cfi_def_cfa sp, 0
    .irp reg, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29, x30
    .cfi_same_value \reg
    .endr
    .irp reg, d8, d9, d10, d11, d12, d13, d14, d15
    .cfi_same_value \reg
    .endr
.endm

/* void sg_stacks_switch(context *from, context *to) */
    .globl sg_stacks_switch
    .hidden sg_stacks_switch
    .type sg_stacks_switch, %function
    .p2align 4
sg_stacks_switch:
    .cfi_startproc
    save_registers
    mov x9, sp
    str x9, [x0]
    ldr x9, [x1]
    mov sp, x9
    load_registers
    br x30
    .cfi_endproc
    .size sg_stacks_switch, . - sg_stacks_switch

/*
 * void sg_stacks_start(context *from, stack *s, entry_point entry, void *argument)
 *
 * The call is the bottom of the new stack: a frame pointer of 0 and an undefined return address
 * end every backtrace there.
 *
 * An entry point that returns null goes on with `from`, and that is what has to be fast: x19, which
 * it has preserved as any function does, still holds the stack pointer of `from`, and of the other
 * registers only those have to be loaded that were changed here.
 */
    .globl sg_stacks_start
    .hidden sg_stacks_start
    .type sg_stacks_start, %function
    .p2align 4
sg_stacks_start:
    .cfi_startproc
    save_registers
    mov x19, sp
    str x19, [x0]
    .cfi_remember_state
    .cfi_remember_state
    .cfi_undefined x30
    mov sp, x1
    mov x0, x3
    mov x29, xzr
    mov x30, xzr
    blr x2
    cbnz x0, 1f
    add sp, x19, #SAVED_BYTES
    .cfi_restore_state
    .cfi_def_cfa_offset 0
    ldp x29, x30, [x19, #80]
    ldr x19, [x19]
    ret
1:
    .cfi_undefined x30
    ldr x9, [x0]
    mov sp, x9
    .cfi_restore_state
    load_registers
    ret
    .cfi_endproc
    .size sg_stacks_start, . - sg_stacks_start

/* void sg_stacks_leave(context *to) */
    .globl sg_stacks_leave
    .hidden sg_stacks_leave
    .type sg_stacks_leave, %function
    .p2align 4
sg_stacks_leave:
    .cfi_startproc
    ldr x9, [x0]
    mov sp, x9
    .cfi_def_cfa_offset SAVED_BYTES
    saved_rules
    load_registers
    br x30
    .cfi_endproc
    .size sg_stacks_leave, . - sg_stacks_leave

    .section .note.GNU-stack, "", %progbits
