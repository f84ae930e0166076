package io.gannet.ring.model;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Loads the client and the ring, or other classes, once more, beside the shipped ones, with every access to a changing
 * field of the classes named, every fence, monitor and wait in them handed to {@link FieldModel}. So the
 * code that ships has no indirection for the sake of the model, and what the model runs is the code that ships.
 */
public final class Weaver extends ClassLoader
{
    /** Classes whose orders between threads of a process, or in small files, are looked at. */
    private static final List<String> CLIENT = List.of(
        "io/gannet/PollGuard", "io/gannet/PollGuard$Owner", "io/gannet/HotFence", "io/gannet/SoloPublication",
        "io/gannet/RingPublication", "io/gannet/MappedCounter", "io/gannet/MappedCounter$Place",
        "io/gannet/RingSubscription", "io/gannet/RingImage", "io/gannet/Operation", "io/gannet/MessageWait",
        "io/gannet/MessageWaiter", "io/gannet/BellSleeper",
        "io/gannet/ring/ConcurrentProducer", "io/gannet/ring/ConcurrentProducerState", "io/gannet/ring/ClaimSlots",
        "io/gannet/ring/GatingMinimum", "io/gannet/ring/GatingMinimumState", "io/gannet/ring/Ring",
        "io/gannet/ring/RingReader", "io/gannet/ring/RingReaderState", "io/gannet/ring/ExclusiveProducer",
        "io/gannet/ring/ExclusiveProducerState", "io/gannet/control/Bell", "io/gannet/control/DriverFile",
        "io/gannet/control/DriverInfo", "io/gannet/control/ClientFile");

    private static final String PACKAGE = "io.gannet.";
    private static final ClassDesc MODEL = ClassDesc.of("io.gannet.ring.model.FieldModel");
    private static final int PLAIN = FieldModel.code(WeakMemory.Order.PLAIN);
    private static final int VOLATILE = FieldModel.code(WeakMemory.Order.VOLATILE);

    private final List<String> woven;
    private final List<String> withElements;
    private final Map<String, Integer> flags = new HashMap<>();
    private final Map<String, String> superclasses = new HashMap<>();

    /** Of the client and the ring. */
    Weaver()
    {
        this(CLIENT, List.of("io/gannet/ring/ClaimSlots"));
    }

    /**
     * Of other classes.
     *
     * @param woven        internal names of the classes whose fields are looked at.
     * @param withElements those of them whose accesses to elements of arrays are looked at too.
     */
    public Weaver(final List<String> woven, final List<String> withElements)
    {
        super(Weaver.class.getClassLoader());
        this.woven = woven;
        this.withElements = withElements;
        for (final String name : woven)
        {
            final ClassModel model = ClassFile.of().parse(read(name));
            superclasses.put(name, model.superclass().orElseThrow().asInternalName());
            for (final var field : model.fields())
            {
                flags.put(name + '.' + field.fieldName().stringValue(), field.flags().flagsMask());
            }
        }
    }

    /** Runs a world by the names that the loaded classes know: what fails first, or null. */
    public String firstFailure(final String world, final int seeds, final Weakening weakening)
    {
        final String[] sites = weakening.sites().stream()
            .map(site -> site.access() + "|" + (site.place() == null ? "" : site.place()) + "|" + site.actor())
            .toArray(String[]::new);
        try
        {
            final var run = loadClass(PACKAGE + "ring.model.ProcessRun")
                .getDeclaredMethod("firstFailure", String.class, int.class, String[].class);
            run.setAccessible(true);
            return (String) run.invoke(null, world.contains(" ") ? world : PACKAGE + world, seeds, sites);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex.getCause() == null ? ex : ex.getCause());
        }
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
    {
        if (!name.startsWith(PACKAGE) || name.startsWith(PACKAGE + "protocol."))
        {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name))
        {
            final Class<?> loaded = findLoadedClass(name);
            if (loaded != null)
            {
                return loaded;
            }
            final String internal = name.replace('.', '/');
            final byte[] bytes = read(internal);
            final byte[] defined = woven.contains(internal) ? weave(internal, bytes) : bytes;
            return defineClass(name, defined, 0, defined.length);
        }
    }

    private byte[] read(final String internal)
    {
        try (InputStream in = getParent().getResourceAsStream(internal + ".class"))
        {
            if (in == null)
            {
                throw new AssertionError("no class " + internal);
            }
            return in.readAllBytes();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private byte[] weave(final String internal, final byte[] bytes)
    {
        final ClassFile classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
            ClassHierarchyResolver.ofResourceParsing(getParent()).orElse(ClassHierarchyResolver.defaultResolver())));
        final CodeTransform code = (builder, element) -> weave(internal, builder, element);
        return classFile.transformClass(
            classFile.parse(bytes), (builder, element) -> weave(internal, code, builder, element));
    }

    private static void weave(
        final String internal, final CodeTransform code, final ClassBuilder builder, final ClassElement element)
    {
        if (!(element instanceof final MethodModel method) || method.code().isEmpty())
        {
            builder.with(element);
        }
        else if (!method.flags().has(AccessFlag.SYNCHRONIZED))
        {
            builder.transformMethod(method, MethodTransform.transformingCode(code));
        }
        else
        {
            final int mask = method.flags().flagsMask() & ~ClassFile.ACC_SYNCHRONIZED;
            final String body = method.methodName().stringValue() + "$body";
            builder.withMethod(body, method.methodTypeSymbol(), mask, built -> method.forEach(part ->
            {
                if (part instanceof final CodeModel original)
                {
                    built.transformCode(original, code);
                }
            }));
            builder.withMethod(method.methodName().stringValue(), method.methodTypeSymbol(), mask,
                built -> built.withCode(wrapper -> locked(ClassDesc.ofInternalName(internal), body, method, wrapper)));
        }
    }

    private static void locked(
        final ClassDesc owner, final String body, final MethodModel method, final CodeBuilder wrapper)
    {
        final MethodTypeDesc type = method.methodTypeSymbol();
        final MethodTypeDesc monitor = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
        wrapper.aload(0).invokestatic(MODEL, "enter", monitor).trying(
            inside ->
            {
                inside.aload(0);
                for (int i = 0; i < type.parameterCount(); i++)
                {
                    inside.loadLocal(TypeKind.from(type.parameterType(i)), inside.parameterSlot(i));
                }
                inside.invokevirtual(owner, body, type).aload(0).invokestatic(MODEL, "exit", monitor)
                    .return_(TypeKind.from(type.returnType()));
            },
            failed -> failed.catchingAll(
                handler -> handler.aload(0).invokestatic(MODEL, "exit", monitor).athrow()));
    }

    private void weave(final String internal, final CodeBuilder builder, final CodeElement element)
    {
        switch (element)
        {
            case final FieldInstruction field -> weaveField(field, builder);
            case final InvokeInstruction invoke -> weaveCall(internal, invoke, builder);
            case final MonitorInstruction monitor -> call(
                builder, monitor.opcode() == Opcode.MONITORENTER ? "enter" : "exit", "(Ljava/lang/Object;)V");
            case final ArrayLoadInstruction load when isWatched(internal, load.typeKind()) ->
                call(builder, "getElement", element(load.typeKind(), true));
            case final ArrayStoreInstruction store when isWatched(internal, store.typeKind()) ->
                call(builder, "putElement", element(store.typeKind(), false));
            default -> builder.with(element);
        }
    }

    private boolean isWatched(final String internal, final TypeKind type)
    {
        return withElements.contains(internal) && type != TypeKind.REFERENCE;
    }

    private static String element(final TypeKind type, final boolean isLoad)
    {
        final String name = type.upperBound().descriptorString();
        final String array = "([" + name + "I";
        final String value = type.asLoadable().upperBound().descriptorString();
        return isLoad ? array + ')' + value : array + value + ")V";
    }

    private void weaveField(final FieldInstruction field, final CodeBuilder builder)
    {
        String owner = field.owner().asInternalName();
        final String name = field.name().stringValue();
        if (field.opcode() == Opcode.GETSTATIC && owner.equals("io/gannet/HotFence") && name.equals("BY_MEMBARRIER"))
        {
            call(builder, "isByMembarrier", "()Z");
            return;
        }
        while (owner != null && !flags.containsKey(owner + '.' + name))
        {
            owner = superclasses.get(owner);
        }
        final boolean isGet = field.opcode() == Opcode.GETFIELD;
        final int mask = owner == null ? ClassFile.ACC_FINAL : flags.get(owner + '.' + name);
        if ((!isGet && field.opcode() != Opcode.PUTFIELD) || (mask & ClassFile.ACC_FINAL) != 0)
        {
            builder.with(field);
            return;
        }
        builder.loadConstant(owner.substring(owner.lastIndexOf('/') + 1) + '.' + name);
        builder.loadConstant((mask & ClassFile.ACC_VOLATILE) != 0 ? VOLATILE : PLAIN);
        access(builder, isGet ? "get" : "put", "", "Ljava/lang/String;", field.typeSymbol(), isGet);
    }

    /** A call of get or put for the type, {@code more} being the parameters behind the object and the value. */
    private static void access(final CodeBuilder builder, final String what, final String before, final String more,
        final ClassDesc type, final boolean isGet)
    {
        final String descriptor = type.isPrimitive() ? type.descriptorString() : "Ljava/lang/Object;";
        final String kind = switch (descriptor)
        {
            case "I" -> "Int";
            case "J" -> "Long";
            case "Z" -> "Boolean";
            case "Ljava/lang/Object;" -> "Reference";
            default -> throw new AssertionError("a field of type " + type.displayName());
        };
        final String object = before + "Ljava/lang/Object;";
        call(builder, what + kind, isGet ?
            "(" + object + more + "I)" + descriptor : "(" + object + descriptor + more + "I)V");
        if (isGet && !type.isPrimitive())
        {
            builder.checkcast(type);
        }
    }

    private static void weaveCall(final String internal, final InvokeInstruction invoke, final CodeBuilder builder)
    {
        final String owner = invoke.owner().asInternalName();
        final String name = invoke.name().stringValue();
        final String simple = internal.substring(internal.lastIndexOf('/') + 1);
        switch (owner)
        {
            case "java/lang/invoke/VarHandle" -> weaveHandle(simple, invoke, name, builder);
            case "java/lang/invoke/MethodHandles$Lookup" -> call(builder, "findVarHandle",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)" +
                "Ljava/lang/invoke/VarHandle;");
            case "java/util/concurrent/atomic/AtomicBoolean" -> weaveFlag(simple, invoke, name, builder);
            case "java/util/concurrent/atomic/AtomicLongArray" -> weaveElements(invoke, name, builder);
            case "io/gannet/os/Futex" -> call(
                builder, "futex" + Character.toUpperCase(name.charAt(0)) + name.substring(1),
                invoke.typeSymbol().descriptorString());
            case "org/agrona/concurrent/UnsafeBuffer" -> weaveBuffer(simple, invoke, name, builder);
            default ->
            {
                switch (owner + '.' + name)
                {
                    case "org/agrona/UnsafeApi.putLongRelease" -> call(
                        builder, "putLongReleaseTo", invoke.typeSymbol().descriptorString());
                    case "org/agrona/UnsafeApi.copyMemory" -> weaveCopy(simple, invoke, builder);
                    case "java/lang/Thread.currentThread" -> call(builder, "currentThread", "()Ljava/lang/Thread;");
                    case "java/lang/Thread.threadId" -> call(builder, "threadId", "(Ljava/lang/Thread;)J");
                    case "java/lang/Thread.onSpinWait" -> call(builder, "spin", "()V");
                    case "io/gannet/os/NamedPipe.signal" -> call(builder, "signal", "(Lio/gannet/os/NamedPipe;)V");
                    case "io/gannet/os/Membarrier.fence" -> call(builder, "membarrier", "()V");
                    default -> builder.with(invoke);
                }
            }
        }
    }

    private static void weaveCopy(final String simple, final InvokeInstruction invoke, final CodeBuilder builder)
    {
        if (simple.equals("Region"))
        {
            call(builder, "copyMemoryTo", invoke.typeSymbol().descriptorString());
        }
        else
        {
            builder.with(invoke);               // of what one thread alone uses
        }
    }

    private static void weaveHandle(
        final String simple, final InvokeInstruction invoke, final String name, final CodeBuilder builder)
    {
        final MethodTypeDesc type = invoke.typeSymbol();
        if (name.equals("fullFence"))
        {
            call(builder, "fullFence", "()V");
            return;
        }
        if (type.parameterType(0).descriptorString().equals("Ljava/lang/foreign/MemorySegment;"))
        {
            builder.loadConstant(simple);
            final String coordinates = "(Ljava/lang/invoke/VarHandle;Ljava/lang/foreign/MemorySegment;J";
            if (name.equals("getAndAdd"))
            {
                call(builder, "segmentAdd", coordinates + "ILjava/lang/String;)V");
            }
            else
            {
                builder.loadConstant(order(name));
                call(builder, "segmentGet", coordinates + "Ljava/lang/String;I)I");
            }
            return;
        }
        if (name.equals("compareAndSet"))
        {
            call(builder, "handleCompareAndSet", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;JJ)Z");
            return;
        }
        final boolean isGet = name.startsWith("get");
        builder.loadConstant(order(name));
        access(builder, isGet ? "handleGet" : "handlePut", "Ljava/lang/invoke/VarHandle;", "",
            isGet ? type.returnType() : type.parameterType(1), isGet);
    }

    private static void weaveFlag(
        final String simple, final InvokeInstruction invoke, final String name, final CodeBuilder builder)
    {
        final String flag = "(Ljava/util/concurrent/atomic/AtomicBoolean;";
        if (name.equals("<init>"))
        {
            builder.with(invoke);
            return;
        }
        builder.loadConstant(simple);
        switch (name)
        {
            case "get" -> call(builder, "flagGet", flag + "Ljava/lang/String;)Z");
            case "set" -> call(builder, "flagSet", flag + "ZLjava/lang/String;)V");
            case "compareAndSet" -> call(builder, "flagCompareAndSet", flag + "ZZLjava/lang/String;)Z");
            default -> throw new AssertionError("AtomicBoolean." + name);
        }
    }

    private static void weaveElements(final InvokeInstruction invoke, final String name, final CodeBuilder builder)
    {
        final String array = "(Ljava/util/concurrent/atomic/AtomicLongArray;";
        switch (name)
        {
            case "<init>" -> builder.with(invoke);
            case "getOpaque" -> call(builder, "getOpaque", array + "I)J");
            case "setOpaque" -> call(builder, "setOpaque", array + "IJ)V");
            default -> throw new AssertionError("AtomicLongArray." + name);
        }
    }

    private static void weaveBuffer(
        final String simple, final InvokeInstruction invoke, final String name, final CodeBuilder builder)
    {
        final String owner = simple.equals("DriverInfo") ? "DriverFile" : simple;
        final String parameters = invoke.typeSymbol().descriptorString();
        final String base = "(Lorg/agrona/concurrent/UnsafeBuffer;" + parameters.substring(1, parameters.indexOf(')'));
        final String result = parameters.substring(parameters.indexOf(')'));
        if (name.equals("<init>") || name.equals("addressOffset") || name.equals("byteArray") ||
            name.equals("wrap") || name.equals("capacity"))
        {
            builder.with(invoke);
            return;
        }
        builder.loadConstant(owner);
        if (name.endsWith("Bytes") || name.equals("setMemory") || name.startsWith("compareAnd") ||
            name.startsWith("getAndAdd"))
        {
            call(builder, "buffer" + Character.toUpperCase(name.charAt(0)) + name.substring(1),
                base + "Ljava/lang/String;" + result);
            return;
        }
        builder.loadConstant(order(name));
        call(builder, "buffer" + (name.startsWith("get") ? "Get" : "Put") + (name.contains("Long") ? "Long" : "Int"),
            base + "Ljava/lang/String;I" + result);
    }

    private static int order(final String name)
    {
        for (final WeakMemory.Order order : WeakMemory.Order.values())
        {
            if (name.toUpperCase(Locale.ROOT).endsWith(order.name()))
            {
                return FieldModel.code(order);
            }
        }
        return PLAIN;
    }

    private static void call(final CodeBuilder builder, final String method, final String descriptor)
    {
        builder.invokestatic(MODEL, method, MethodTypeDesc.ofDescriptor(descriptor));
    }
}
