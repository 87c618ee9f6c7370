/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import java.util.Map;

/** Attaches to the JVM that awaits a debugger at a port of this host, stops it, and looks for its main thread. */
public final class Debugger {
    private Debugger() { }

    public static void main(String[] args) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketAttach")).findFirst().orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(args[0]);
        VirtualMachine machine = connector.attach(arguments);
        machine.suspend();
        System.out.println(machine.allThreads().stream().map(ThreadReference::name).filter("main"::equals).findFirst()
                .orElseThrow());
        machine.resume();
        machine.dispose();
    }
}
